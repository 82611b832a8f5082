// The code to scan or to type, in place, until the instance is connected.

import { useEffect, useState } from 'react';
import { ask } from '../../api/client.js';
import { explain, requestLine } from '../../api/request-error.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { notify } from '../../parts/notices.js';
import { Progress } from '../../parts/progress.js';
import { connectUntilOver } from './connect-loop.js';
import type { ConnectAnswer, ConnectEnd } from './connect-loop.js';
import styles from './instances.module.css';
import { ConnectInstanceDocument } from './operations.js';
import type { InstanceCardFragment } from './operations.js';
import { QrCode } from './qr-code.js';
import { instancesTexts } from './texts.js';

interface ConnectPanelProps {
  instance: InstanceCardFragment;
  /** The state as the gateway answered. */
  onState: (state: Pick<InstanceCardFragment, 'status' | 'lastError'>) => void;
  onClose: () => void;
}

interface State {
  answer?: ConnectAnswer;
  trouble?: unknown;
  end?: ConnectEnd;
}

export function ConnectPanel({ instance, onState, onClose }: ConnectPanelProps) {
  const texts = useTexts(instancesTexts);
  const [run, setRun] = useState(0);
  const [state, setState] = useState<State>({});
  const { id } = instance;
  const isConnected =
    state.answer?.status === 'CONNECTED' || (state.answer !== undefined && instance.status === 'CONNECTED');

  useEffect(() => {
    let isLeft = false;
    setState({});
    connectUntilOver({
      ask: async () => (await ask(ConnectInstanceDocument, { id })).connectChatInstance,
      onAnswer(answer) {
        setState({ answer });
        onState({ status: answer.status, lastError: answer.lastError });
      },
      onTrouble: (trouble) => setState(({ answer }) => ({ ...(answer && { answer }), trouble })),
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      isLeft: () => isLeft,
    }).then(
      (end) => end !== 'left' && setState((now) => ({ ...now, end })),
      (trouble: unknown) => setState({ trouble, end: 'refused' }),
    );
    return () => {
      isLeft = true;
    };
  }, [id, run]);

  useEffect(() => {
    if (!isConnected) return;
    notify(texts.nowConnected(instance.instanceName));
    onClose();
  }, [isConnected]);

  const { answer, trouble, end } = state;
  const code = end === 'timeout' ? undefined : answer;
  return (
    <section className={styles.connect} aria-label={texts.connecting(instance.instanceName)}>
      {answer === undefined && trouble === undefined && <Progress label={texts.asksGateway} text={texts.asksGateway} />}
      {code?.qr != null && (
        <figure className={styles.scan}>
          <QrCode code={code.qr} label={texts.qrCode} />
          <figcaption>{texts.scan}</figcaption>
        </figure>
      )}
      {code?.pairingCode != null && (
        <p>
          {texts.pairing} <strong className={styles.pairing}>{code.pairingCode}</strong>
        </p>
      )}
      {answer?.status === 'CONNECTING' && answer.qr === null && answer.pairingCode === null && <p>{texts.noCode}</p>}
      {end === 'refused' && trouble === undefined && (
        <p role="alert" className={styles.problem}>
          {answer?.lastError ?? texts.refused}
        </p>
      )}
      {trouble !== undefined && (
        <p role="alert" className={styles.problem}>
          {explain(trouble)} <small>{requestLine(trouble)}</small>
          {end === undefined && ` ${texts.triesAgain}`}
        </p>
      )}
      {end === 'timeout' && <p role="status">{texts.timeout}</p>}
      {end === undefined && answer !== undefined && <Progress label={texts.waitsForPhone} text={texts.renewed} />}
      <div className={styles.buttons}>
        {end !== undefined && <Button onClick={() => setRun(run + 1)}>{texts.connectAgain}</Button>}
        <Button onClick={onClose}>{texts.stop}</Button>
      </div>
    </section>
  );
}
