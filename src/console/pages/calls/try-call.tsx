// A form for a call from another system. The call is checked in a dry run without effect, or sent with the tenant's key.

import { useId, useState, type FormEvent } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { tryCall, type TriedCall } from '../../api/try-call.js';
import { useAction } from '../../api/use-action.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { CallAnswer } from '../../parts/call-answer.js';
import { Dialog } from '../../parts/dialog.js';
import { Select, TextArea, TextField } from '../../parts/field.js';
import { FormError } from '../../parts/form-error.js';
import { canBeSent, exampleOf, exampleOfSource, isKnownRoute, routeNames } from './call-routes.js';
import styles from './calls.module.css';
import { readHeaders, withHeader, writeHeaders } from './header-lines.js';
import {
  CallKeyDocument,
  CallSourcesDocument,
  JudgeCallDocument,
  type CallSourcesQuery,
  type JudgeCallQuery,
} from './operations.js';
import { canSign, sign } from './signature.js';
import { callsTexts } from './texts.js';
import { DryRunResult } from './dry-run-result.js';
import { dryRunTexts } from './dry-run-texts.js';

/** A call of the journal that fills the form. */
export interface CallToTry {
  route: string;
  headers: Readonly<Record<string, unknown>>;
  body: string;
}

interface TryCallProps {
  tenantId: string;
  /** The call that fills the form at first; without it an example does. */
  first?: CallToTry | undefined;
  onClose: () => void;
  onTried: () => void;
}

const otherPath = '';

export function TryCall({ tenantId, first, onClose, onTried }: TryCallProps) {
  const texts = useTexts(callsTexts);
  const dryRunText = useTexts(dryRunTexts);
  const formId = useId();
  const call = useCall(first);
  const { check, send, dryRun, answer } = useTries(call, { tenantId, onTried });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (call.headers !== undefined) void check.start();
  };
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={texts.tryCall}
      actions={
        <>
          <Button
            icon="send"
            isBusy={send.isBusy}
            disabled={!canBeSent(call.route) || call.headers === undefined}
            onClick={() => void send.start()}
          >
            {texts.send}
          </Button>
          <Button kind="primary" type="submit" form={formId} icon="check" isBusy={check.isBusy}>
            {dryRunText.check}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.section} onSubmit={submit}>
        <p className={styles.hint}>{dryRunText.checkHint}</p>
        <Fields call={call} />
        <FormError error={check.error ?? send.error} />
        {dryRun !== undefined && (
          <DryRunResult
            dryRun={dryRun}
            onTakeExpected={(header, expected) => call.setLines(withHeader(call.lines, header, expected))}
          />
        )}
        {answer !== undefined && <CallAnswer answer={answer} />}
      </form>
    </Dialog>
  );
}

const noSources: CallSourcesQuery['leadSources'] = [];

type Call = ReturnType<typeof useCall>;

function useCall(first: CallToTry | undefined) {
  const [chosen, setChosen] = useState<string>(first?.route ?? '/public/leads');
  const [path, setPath] = useState('/webhooks/chat/cloud/');
  const [lines, setLines] = useState(() => writeHeaders(first?.headers ?? {}));
  // The state keeps the body's line ends as received. A text field would change them.
  const [body, setBody] = useState(() => first?.body ?? exampleOf('/public/leads', Date.now()));
  const [secret, setSecret] = useState('');
  const read = readHeaders(lines);
  const sources =
    useLoaded('lead sources', async () => (await askAgain(CallSourcesDocument)).leadSources).data ?? noSources;
  const choose = (next: string) => {
    setChosen(next);
    const source = sources.find(({ path: known }) => known === next);
    if (isKnownRoute(next)) setBody(exampleOf(next, Date.now()));
    else if (source !== undefined) setBody(exampleOfSource(source.kind, Date.now()));
  };
  return {
    chosen,
    choose,
    path,
    setPath,
    route: chosen === otherPath ? path.trim() : chosen,
    lines,
    setLines,
    headers: 'headers' in read ? read.headers : undefined,
    wrongLine: 'wrongLine' in read ? read.wrongLine : undefined,
    body,
    setBody,
    secret,
    setSecret,
    sources,
    routes: [...new Set([...routeNames, ...(first === undefined ? [] : [first.route])])].filter(
      (one) => !sources.some(({ path: known }) => known === one),
    ),
  };
}

/** Runs the call as a dry run, or sends it. */
function useTries(call: Call, { tenantId, onTried }: { tenantId: string; onTried: () => void }) {
  const [dryRun, setDryRun] = useState<JudgeCallQuery['tryWebhook']>();
  const [answer, setAnswer] = useState<TriedCall>();
  const [apiKey, setApiKey] = useState<string>();
  const { route, body, secret } = call;
  const clear = () => {
    setDryRun(undefined);
    setAnswer(undefined);
  };
  const signed = async () => ({
    ...call.headers,
    ...(secret !== '' && isChat(route) && { 'x-signature': await sign(secret, body) }),
  });
  const check = useAction(
    async () => {
      clear();
      setDryRun((await ask(JudgeCallDocument, { route, headers: await signed(), body })).tryWebhook);
    },
    { isForm: true },
  );
  const send = useAction(
    async () => {
      clear();
      const key = apiKey ?? (await ask(CallKeyDocument, { id: tenantId })).tenant?.apiKey ?? '';
      setApiKey(key);
      setAnswer(await tryCall(route, { ...(await signed()), 'x-tenant-key': key }, body));
      onTried();
    },
    { isForm: true },
  );
  return { check, send, dryRun, answer };
}

const isChat = (route: string) => route.startsWith('/webhooks/chat/gateway/');

function Fields({ call }: { call: Call }) {
  const texts = useTexts(callsTexts);
  const dryRunText = useTexts(dryRunTexts);
  const { chosen, choose, routes, sources, route, path, setPath, lines, setLines, wrongLine, body, setBody } = call;
  return (
    <>
      <Select
        label={texts.route}
        value={chosen}
        onChoose={choose}
        options={[
          ...routes.map((one) => ({ value: one, label: `POST ${one}` })),
          ...sources.map(({ name, path: known }) => ({ value: known, label: dryRunText.sourceRoute(name, known) })),
          { value: otherPath, label: dryRunText.otherPath },
        ]}
      />
      {chosen === otherPath && (
        <TextField
          label={dryRunText.path}
          value={path}
          maxLength={255}
          spellCheck={false}
          required
          onChange={({ target }) => setPath(target.value)}
        />
      )}
      <TextArea
        label={texts.headers}
        hint={dryRunText.headersHint}
        error={wrongLine === undefined ? undefined : dryRunText.wrongHeader(wrongLine)}
        rows={2}
        spellCheck={false}
        value={lines}
        onChange={({ target }) => setLines(target.value)}
      />
      <TextArea
        label={texts.body}
        rows={9}
        spellCheck={false}
        value={body}
        onChange={({ target }) => setBody(target.value)}
      />
      {isChat(route) && canSign() && (
        <TextField
          label={texts.secret}
          hint={texts.signHint}
          type="password"
          autoComplete="off"
          value={call.secret}
          onChange={({ target }) => call.setSecret(target.value)}
        />
      )}
    </>
  );
}
