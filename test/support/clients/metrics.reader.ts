import { request } from './api.client';
import { METRICS_TOKEN, type ServerProcess } from '../programs/server.process';

/** What a process measures of itself, in Prometheus' text form. */
export async function metricsOf({ url }: Pick<ServerProcess, 'url'>): Promise<string> {
  return (await request(`${url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })).text;
}

/** Agents with an open board on a process, as it says itself. */
export async function agentsWatched(server: ServerProcess): Promise<number> {
  return Number(/^leadline_feed_agents_watched (\d+)/m.exec(await metricsOf(server))?.[1]);
}
