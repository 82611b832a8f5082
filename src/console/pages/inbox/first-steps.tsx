// An empty company shows an administrator four steps, of which each ticks itself. An operator is told whom to ask.

import { Link } from '@tanstack/react-router';
import { askAgain } from '../../api/client.js';
import { useColleagues } from '../../api/use-colleagues.js';
import { useInstances } from '../../api/use-instances.js';
import { useLoaded } from '../../api/use-loaded.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Icon } from '../../parts/icon.js';
import { firstStepsTexts } from './first-steps-texts.js';
import styles from './first-steps.module.css';
import { FirstStepsDocument } from './operations.js';

export function FirstSteps({ otherwise }: { otherwise: React.ReactNode }) {
  const texts = useTexts(firstStepsTexts);
  const isAdmin = useStore(sessionState).user?.role === 'ADMIN';
  const { data } = useLoaded('first steps', () => askAgain(FirstStepsDocument, { isAdmin }));
  const { instances } = useInstances();
  const colleagues = useColleagues();
  if (data === undefined) return null;
  if (data.inbox.edges.length > 0) return otherwise;
  if (!isAdmin)
    return (
      <div className={styles.first} data-first-steps>
        <EmptyState icon="inbox" title={texts.nothingYet} hint={texts.askAdministrators} />
      </div>
    );

  const isConnected = instances.some(({ status }) => status === 'CONNECTED' || status === 'DEGRADED');
  const steps = [
    { to: '/instances', name: 'number', isDone: isConnected },
    { to: '/settings/users', name: 'people', isDone: colleagues.length > 1 },
    { to: '/settings/sources', name: 'source', isDone: (data.leadSources ?? []).length > 0 },
    { to: '/docs', name: 'message', isDone: false },
  ] as const;
  const next = steps.findIndex(({ isDone }) => !isDone);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section className={styles.steps} aria-labelledby="first-steps" data-first-steps>
      <h2 id="first-steps">{texts.title}</h2>
      <p>{texts.hint}</p>
      <progress aria-label={texts.title} max={steps.length} value={done} />
      <ol>
        {steps.map(({ to, name, isDone }, index) => (
          <li key={name} data-state={isDone ? 'done' : index === next ? 'next' : undefined}>
            <span className={styles.tick}>
              {isDone ? <Icon name="check" size={14} /> : index + 1}
              {isDone && <span className="visually-hidden">{texts.done}</span>}
            </span>
            <div>
              <strong>{texts[name]}</strong>
              <small>{texts[`${name}Hint`]}</small>
            </div>
            <Link to={to}>{texts[`${name}Act`]}</Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
