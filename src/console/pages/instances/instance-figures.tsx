// The traffic of an instance in the last 24 hours: the last messages, how many were not sent, and a bar for each hour.

import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { figureTexts } from './figure-texts.js';
import styles from './instances.module.css';
import type { Traffic } from './use-traffic.js';

export function InstanceFigures({ traffic }: { traffic: Traffic }) {
  const texts = useTexts(figureTexts);
  const formats = useFormats();
  const { lastInAt, lastOutAt, waiting, sent, failed, hours } = traffic;
  const timeOf = (at: string | null) => (at === null ? texts.none : formats.short(at));
  return (
    <dl className={styles.figures} title={texts.span}>
      <div>
        <dt>{texts.lastIn}</dt>
        <dd>{timeOf(lastInAt)}</dd>
      </div>
      <div>
        <dt>{texts.lastOut}</dt>
        <dd>{timeOf(lastOutAt)}</dd>
      </div>
      <div data-waiting={waiting > 0 || undefined}>
        <dt>{texts.waiting}</dt>
        <dd>{formats.number(waiting)}</dd>
      </div>
      <div data-failed={failed > 0 || undefined}>
        <dt>{texts.notSent}</dt>
        <dd>
          <span>
            {sent + failed === 0
              ? texts.none
              : texts.share(formats.percent(failed / (sent + failed)), formats.number(failed))}
          </span>
          <Hours hours={hours} />
        </dd>
      </div>
    </dl>
  );
}

const height = 14;
const step = 3;

/** A bar for all messages of an hour, whose lower part is what was not sent. */
function Hours({ hours }: Pick<Traffic, 'hours'>) {
  const texts = useTexts(figureTexts);
  const formats = useFormats();
  const sums = hours.map(({ received, sent, failed }) => received + sent + failed);
  const most = Math.max(...sums);
  const busiest = hours[sums.indexOf(most)];
  // A single message among many is still seen.
  const high = (count: number) => (count === 0 ? 0 : Math.max(1, (count / most) * height));
  return (
    <svg
      className={styles.hours}
      viewBox={`0 0 ${hours.length * step} ${height}`}
      role="img"
      aria-label={
        most === 0 || busiest === undefined
          ? texts.noMessages
          : texts.busiest(formats.number(most), formats.short(busiest.start))
      }
    >
      {hours.map(({ start, failed }, index) => {
        const [all, missed] = [high(sums[index] ?? 0), high(failed)];
        const x = index * step;
        return (
          <g key={start}>
            <rect x={x} y={height - Math.max(all, 1)} width={2} height={Math.max(all, 1)} />
            {missed > 0 && <rect data-failed x={x} y={height - missed} width={2} height={missed} />}
          </g>
        );
      })}
    </svg>
  );
}
