import { request } from './api.client';
import { METRICS_TOKEN, type ServerProcess } from './server.process';

/** Agents with an open board on a process, as it says itself. */
export async function agentsWatched({ url }: ServerProcess): Promise<number> {
  const { text } = await request(`${url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
  return Number(/^leadline_feed_agents_watched (\d+)/m.exec(text)?.[1]);
}
