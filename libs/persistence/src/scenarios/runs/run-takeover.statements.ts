import { statement } from '../../database/sql.statements';
import { comesTo, passesTo, takeoverAfter } from '../../threads/conductor.rules';
import { beginTakeover } from '../../threads/thread.rules';
import { appendEvents, ENTRIES } from '../../threads/thread-log.statements';

const CURRENT = `
  cur AS MATERIALIZED (
    SELECT id, assistant_id, version, ai_enabled, opted_out, takeover_until, clock_timestamp() AS at FROM threads
     WHERE account_id = :accountId AND id = :threadId)`;

/** A run hands its dialog, whose row it has locked, to a person. A dialog that is off stays off. */
export const HAND_OVER_BY_RUN = statement('scenario-hand-over').takes('accountId', 'threadId', 'actor')
  .returns<{
  passed: number;
}>(`
  WITH ${CURRENT},
  touched AS (
    UPDATE threads t
       SET version = t.version + (${passesTo('scenarioHandsOver', 'operator', 'c', 'c.at')})::int, ai_epoch = t.ai_epoch + 1,
           last_activity_at = c.at,
           takeover_until = ${takeoverAfter('scenarioHandsOver', 't', 'c.at', `greatest(t.takeover_until, ${beginTakeover('t', 'c.at')})`)}
      FROM cur c WHERE t.account_id = :accountId AND t.id = c.id AND ${comesTo('scenarioHandsOver', 'operator', 'c', 'c.at')}
    RETURNING t.id, t.assistant_id, t.version, c.at, ${passesTo('scenarioHandsOver', 'operator', 'c', 'c.at')} AS passes),
  event AS (${appendEvents('touched', { by: `'SCENARIO'`, actor: ':actor::jsonb' }, [
    { ...ENTRIES.handedToPerson, when: 't.passes' },
  ])})
  SELECT 1 AS passed FROM event`);

/** A run ends the takeover of its dialog. A waiting message is not answered, and off stays off. */
export const RETURN_BY_RUN = statement('scenario-return').takes('accountId', 'threadId', 'actor').returns<{
  passed: number;
}>(`
  WITH ${CURRENT},
  touched AS (
    UPDATE threads t
       SET version = t.version + 1, takeover_until = ${takeoverAfter('scenarioReturns', 't', 'c.at')}, last_activity_at = c.at
      FROM cur c WHERE t.account_id = :accountId AND t.id = c.id AND ${passesTo('scenarioReturns', 'assistant', 'c', 'c.at')}
    RETURNING t.id, t.assistant_id, t.version, c.at),
  event AS (${appendEvents('touched', { by: `'SCENARIO'`, actor: ':actor::jsonb' }, [ENTRIES.handedToAgent])})
  SELECT 1 AS passed FROM event`);
