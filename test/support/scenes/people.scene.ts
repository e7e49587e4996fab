// Former names of the base scene, for tests that are under way elsewhere.
export { invite, joinBy, PASSWORD, type Invited } from '../clients/session.client';
export { setScene as setPeopleScene, type Scene as PeopleScene } from './base.scene';
