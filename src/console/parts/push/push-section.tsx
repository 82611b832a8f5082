// The choice of what this browser is notified of while the console is closed, and the user's browsers that are.

import { useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { IconButton } from '../button.js';
import { Checkbox } from '../field.js';
import { notify } from '../notices.js';
import { PushDevicesDocument, type PushDeviceShownFragment } from './operations.js';
import { choosePush, deletePush, isPushPossible, pushChoice, type PushChoice, type PushProblem } from './push.js';
import { pushTexts } from './push-texts.js';
import styles from './push-section.module.css';

/** Shows nothing where the server has no key, or the browser no push. */
export function PushSection() {
  const { data, reload } = useLoaded(isPushPossible() ? 'push' : undefined, () => askAgain(PushDevicesDocument));
  if (data === undefined || data.pushPublicKey === null) return null;
  return <PushFields publicKey={data.pushPublicKey} devices={data.pushDevices} onChanged={reload} />;
}

interface PushFieldsProps {
  publicKey: string;
  devices: readonly PushDeviceShownFragment[];
  onChanged: () => void;
}

function PushFields({ publicKey, devices, onChanged }: PushFieldsProps) {
  const texts = useTexts(pushTexts);
  const choice = useStore(pushChoice);
  const [problem, setProblem] = useState<PushProblem>();
  const choose = useAction(async (change: Partial<PushChoice>) => {
    setProblem(await choosePush({ ...choice, ...change }, publicKey));
    onChanged();
  });
  const fieldOf = (name: keyof PushChoice) => ({
    label: texts[name],
    checked: choice[name],
    disabled: choose.isBusy,
    onChange: ({ target }: { target: HTMLInputElement }) => void choose.start({ [name]: target.checked }),
  });
  return (
    <section className={styles.section} data-rows aria-labelledby="push">
      <h2 id="push">{texts.title}</h2>
      <p className={styles.about}>{texts.about}</p>
      <Checkbox {...fieldOf('mine')} />
      <Checkbox {...fieldOf('unassigned')} {...(problem !== undefined && { error: texts[problem] })} />
      {devices.length > 0 && <Devices devices={devices} onChanged={onChanged} />}
    </section>
  );
}

function Devices({ devices, onChanged }: Pick<PushFieldsProps, 'devices' | 'onChanged'>) {
  const texts = useTexts(pushTexts);
  const formats = useFormats();
  const remove = useAction(async (id: string) => {
    await deletePush(id);
    notify(texts.removed);
    onChanged();
  });
  return (
    <ul className={styles.devices} aria-label={texts.browsers}>
      {devices.map(({ id, name, seenAt }) => (
        <li key={id}>
          <span>{name}</span>
          <small>{texts.seen(formats.full(seenAt))}</small>
          <IconButton icon="close" label={texts.remove(name)} onClick={() => void remove.start(id)} />
        </li>
      ))}
    </ul>
  );
}
