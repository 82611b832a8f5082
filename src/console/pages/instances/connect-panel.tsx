// The code to scan or type, shown until the instance is connected.

import { useEffect, useState } from 'react';
import { ask } from '../../api/client.js';
import { RequestError, explain, requestLine } from '../../api/request-error.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { CopyIcon } from '../../parts/copy-text.js';
import { notify } from '../../parts/notices.js';
import { Progress } from '../../parts/progress.js';
import { connectUntilOver, type ConnectAnswer, type ConnectEnd } from './connect-loop.js';
import { adviceOnGateway, gatewayTexts } from './gateway-texts.js';
import styles from './instances.module.css';
import { ConnectInstanceDocument, type InstanceCardFragment } from './operations.js';
import { QrCode } from './qr-code.js';
import { scanTexts } from './scan-texts.js';
import { instancesTexts } from './texts.js';

interface ConnectPanelProps {
  instance: InstanceCardFragment;
  /** Receives the state from the gateway's answer. */
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
    state.answer?.status === 'CONNECTED' ||
    (state.answer !== undefined && (instance.status === 'CONNECTED' || instance.status === 'DEGRADED'));

  useEffect(() => {
    let isLeft = false;
    setState({});
    connectUntilOver({
      ask: async () => (await ask(ConnectInstanceDocument, { id })).connectChatInstance,
      onAnswer(answer) {
        setState({ answer });
        onState({ status: answer.status, lastError: answer.lastError });
      },
      isPassing: (error) => error instanceof RequestError && error.isTemporary,
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

  const { answer, end } = state;
  const isAsking = answer === undefined && state.trouble === undefined;
  return (
    <section className={styles.connect} aria-label={texts.connecting(instance.instanceName)}>
      {isAsking && <Progress label={texts.asksGateway} text={texts.asksGateway} />}
      {answer !== undefined && end !== 'timeout' && <Codes answer={answer} />}
      <Problem state={state} />
      {end === undefined && answer !== undefined && <Progress label={texts.waitsForPhone} text={texts.renewed} />}
      <div className={styles.buttons}>
        {end !== undefined && <Button onClick={() => setRun(run + 1)}>{texts.connectAgain}</Button>}
        <Button onClick={onClose}>{texts.stop}</Button>
      </div>
    </section>
  );
}

function Codes({ answer: { status, qr, pairingCode } }: { answer: ConnectAnswer }) {
  const texts = useTexts(instancesTexts);
  const scan = useTexts(scanTexts);
  const isStarting = status === 'CONNECTING' && qr === null && pairingCode === null;
  return (
    <>
      {(qr !== null || pairingCode !== null) && (
        <div className={styles.scan}>
          {qr !== null && <QrCode code={qr} label={texts.qrCode} tooLong={texts.tooLong} />}
          {qr !== null && (
            <ol>
              <li>{scan.phone}</li>
              <li>{scan.menu}</li>
              <li>{scan.point}</li>
            </ol>
          )}
          {pairingCode !== null && (
            <div className={styles.pairing}>
              <span>{texts.pairing}</span>
              <p>
                <strong>{pairingCode}</strong>
                <CopyIcon label={scan.copyCode} value={pairingCode} />
              </p>
            </div>
          )}
        </div>
      )}
      {isStarting && <p>{texts.noCode}</p>}
    </>
  );
}

function Problem({ state: { answer, trouble, end } }: { state: State }) {
  const texts = useTexts(instancesTexts);
  const gateway = useTexts(gatewayTexts);
  if (end === 'timeout') return <p role="status">{texts.timeout}</p>;
  if (trouble !== undefined)
    return (
      <p role="alert" className={styles.problem}>
        {isGatewayOut(trouble) ? texts.gatewayOut(trouble.message) : explain(trouble)}{' '}
        <small>{requestLine(trouble)}</small> {end === undefined && texts.triesAgain}
      </p>
    );
  if (end !== 'refused') return null;
  const words = answer?.lastError ?? undefined;
  return (
    <p role="alert" className={styles.problem}>
      {words === undefined ? texts.refused : gateway[adviceOnGateway(words)]} <small dir="auto">{words}</small>
    </p>
  );
}

// The server's own message about the gateway helps more than the general text for UNAVAILABLE.
function isGatewayOut(error: unknown): error is RequestError {
  return error instanceof RequestError && error.code === 'UNAVAILABLE';
}
