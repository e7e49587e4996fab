import 'reflect-metadata';
import { getMetadataStorage } from 'class-validator';
import { GetThreadsRequest } from '../../threads/thread.request';
import { ExportLeadsRequest } from '../../transfer/exports.controller';

type Form = new () => object;

/** Which fields a form has, and how each is checked. */
const fieldsOf = (form: Form): Record<string, unknown[]> => {
  const fields: Record<string, unknown[]> = {};
  for (const { propertyName, type, name, constraints } of getMetadataStorage().getTargetValidationMetadatas(
    form,
    '',
    true,
    false,
  ))
    (fields[propertyName] ??= []).push([type, name, constraints]);
  return fields;
};

/** How a list is shown, which narrows nothing. The agent is one of an export's own fields. */
const NO_FILTERS = ['assistant_id', 'sort', 'counts', 'messages_limit', 'limit', 'cursor'];

it('an export takes every filter of get-threads, checked in the same way', () => {
  const { assistant_id: _, format: __, ...filters } = fieldsOf(ExportLeadsRequest);
  const listed = Object.entries(fieldsOf(GetThreadsRequest)).filter(([name]) => !NO_FILTERS.includes(name));
  expect(filters).toEqual(Object.fromEntries(listed));
});
