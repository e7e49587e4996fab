import type { ScenarioAnswer } from '@app/client/api-types';
import { spanInWords, weekdayName } from '../parts/forms/span.format';
import { scenariosWords } from './scenarios.words';
import classes from './scenario-detail.module.css';

/** By which rules a scenario runs, in words. */
export function ScenarioRules({ scenario }: { scenario: ScenarioAnswer }) {
  const t = scenariosWords.use();
  const { send_hours: hours, cooldown_seconds: cooldown } = scenario;
  const rows: [string, string][] = [
    [t('onLeave'), t(`onLeave_${scenario.on_leave}`)],
    [t('onReply'), t(`onReply_${scenario.on_reply}`)],
    [t('onTakeover'), t(`onTakeover_${scenario.on_takeover}`)],
    [t('reentry'), t(`reentry_${scenario.reentry}`)],
    [t('cooldown'), cooldown === 0 ? t('cooldownNone') : spanInWords(cooldown)],
    [t('hours'), hours === null ? t('hoursAlways') : hoursInWords(hours)],
  ];
  return (
    <dl className={classes.rules}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function hoursInWords({ timezone, spans, closed }: NonNullable<ScenarioAnswer['send_hours']>): string {
  const say = scenariosWords.say;
  const each = spans.map(({ weekdays, from, to }) => `${daysInWords(weekdays)} ${from}–${to}`);
  const words = say('hoursIn', { zone: timezone, spans: each.join('; ') });
  return closed.length === 0 ? words : words + say('hoursClosed', { count: closed.length });
}

/** Mon–Fri, or Mon, Wed. */
function daysInWords(weekdays: number[]): string {
  const days = [...weekdays].sort((a, b) => a - b);
  const [first = 1, last = 1] = [days[0], days.at(-1)];
  const areInARow = days.length > 2 && last - first === days.length - 1;
  return areInARow
    ? `${weekdayName(first)}–${weekdayName(last)}`
    : days.map((day) => weekdayName(day)).join(', ');
}
