// Chooses a template and fills its variables. A template of the tenant becomes text in the composer; a network template is sent directly.

import { useDeferredValue, useRef, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { explain } from '../../api/request-error.js';
import { useAction } from '../../api/use-action.js';
import { useLoaded } from '../../api/use-loaded.js';
import type { ChannelTemplateInput } from '../../api/operations.js';
import { useIsHere } from '../../app/use-is-here.js';
import { useTexts } from '../../i18n/language.js';
import type { ConversationLead } from '../../live/conversation-store.js';
import { Button } from '../../parts/button.js';
import { moveThroughChoices } from '../../parts/choices.js';
import { Dialog, type DialogProps } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { parseTemplate, renderParts, searchOf } from '../../parts/template-text.js';
import { previewOf, toVariables } from './channel-template.js';
import { composerTexts } from './composer-texts.js';
import styles from './composer-dialog.module.css';
import {
  ChannelTemplatesToInsertDocument,
  RenderedTemplateDocument,
  TemplatesToInsertDocument,
  type ChannelTemplatesToInsertQuery,
  type QuickReplyFragment as Template,
} from './operations.js';
import { quickReplyTexts } from './quick-reply-texts.js';

type ChannelTemplate = ChannelTemplatesToInsertQuery['channelTemplates']['edges'][number]['node'];

interface TemplateDialogProps {
  lead: ConversationLead;
  /** The instance whose network has its own templates. */
  channelInstanceId: string | undefined;
  /** True if the reply window is closed: only network templates can then be sent. */
  isWindowClosed: boolean;
  /** The template that is open at first; undefined shows the list. */
  template: Template | undefined;
  returnTo: DialogProps['returnTo'];
  onClose: () => void;
  onInsert: (text: string, template: Template) => void;
  /** @returns false if the template cannot be sent now */
  onSend: (template: ChannelTemplateInput, text: string) => boolean;
}

export function TemplateDialog(props: TemplateDialogProps) {
  const { channelInstanceId, isWindowClosed, template, returnTo, onClose } = props;
  const texts = useTexts(composerTexts);
  const [kind, setKind] = useState<'own' | 'channel'>(
    channelInstanceId !== undefined && isWindowClosed && template === undefined ? 'channel' : 'own',
  );
  return (
    <Dialog isOpen onClose={onClose} returnTo={returnTo} title={texts.insertTemplate}>
      <div className={styles.templates}>
        {channelInstanceId !== undefined && (
          <div className={styles.kinds}>
            {(['own', 'channel'] as const).map((one) => (
              <Button key={one} aria-pressed={kind === one} onClick={() => setKind(one)}>
                {one === 'own' ? texts.templates : texts.channelTemplates}
              </Button>
            ))}
          </div>
        )}
        {kind === 'channel' && channelInstanceId !== undefined ? (
          <ChannelTemplates {...props} instanceId={channelInstanceId} />
        ) : (
          <OwnTemplates {...props} />
        )}
      </div>
    </Dialog>
  );
}

function OwnTemplates({ lead, template: first, onInsert, onClose }: TemplateDialogProps) {
  const texts = useTexts(composerTexts);
  const quickTexts = useTexts(quickReplyTexts);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(first);
  const wanted = searchOf(search);
  const { data, error, reload } = useLoaded(`templates ${wanted}`, () =>
    askAgain(TemplatesToInsertDocument, { search: wanted === '' ? null : wanted }),
  );
  if (chosen !== undefined)
    return (
      <OwnTemplate
        template={chosen}
        lead={lead}
        onBack={() => setChosen(undefined)}
        onInsert={(text) => {
          onInsert(text, chosen);
          onClose();
        }}
      />
    );
  const found = data?.templates.edges.map(({ node }) => node);
  return (
    <div className={styles.templates} onKeyDown={moveThroughChoices}>
      <SearchField value={search} onChange={setSearch} />
      {found === undefined && (error === undefined ? <Loading /> : <LoadFailed error={error} onRetry={reload} />)}
      {found?.length === 0 && <p>{search === '' ? texts.noTemplates : texts.noneFound}</p>}
      <ul className={styles.choices}>
        {found?.map((template) => (
          <li key={template.id}>
            <button type="button" onClick={() => setChosen(template)}>
              <strong dir="auto">{template.name}</strong>
              <span dir="auto">{template.body}</span>
              {(template.shortcut !== null || template.files.length > 0) && (
                <small>
                  {template.shortcut !== null && `/${template.shortcut} `}
                  {template.files.length > 0 && quickTexts.files(template.files.length)}
                </small>
              )}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function OwnTemplate({
  template,
  lead,
  onBack,
  onInsert,
}: {
  template: Template;
  lead: ConversationLead;
  onBack: () => void;
  onInsert: (text: string) => void;
}) {
  const texts = useTexts(composerTexts);
  const [values, setValues] = useState<Record<string, string>>({});
  const written = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const given = useDeferredValue(written);
  const render = async (variables: Record<string, string>) =>
    (await askAgain(RenderedTemplateDocument, { id: template.id, leadId: lead.id, variables })).renderTemplate;
  const { data, error } = useLoaded(`${template.id} ${JSON.stringify(given)}`, () => render(given));
  const body = data?.body ?? undefined;
  const missing = data?.missing ?? [];
  const form = useRef<HTMLFormElement>(null);
  const isHere = useIsHere();
  // Enter may come before the answer for the last letter.
  const { isBusy, start } = useAction(async () => {
    const rendered = await render(written);
    // It may have been left, and another text begun.
    if (!isHere()) return;
    if (rendered.body !== null) return onInsert(rendered.body);
    // Enter leads on to what is still missing.
    const toFill = template.variables.findIndex(({ name }) => rendered.missing.includes(name));
    form.current?.querySelectorAll('input')[toFill]?.focus();
  });
  return (
    <form ref={form} className={styles.templates} action={() => void start()}>
      <h3 dir="auto">{template.name}</h3>
      {template.variables.map(({ name, default: preset }, place) => (
        <TextField
          key={name}
          label={name}
          autoFocus={place === 0}
          value={values[name] ?? ''}
          placeholder={preset ?? ''}
          maxLength={1_000}
          dir="auto"
          onChange={({ target }) => setValues((now) => ({ ...now, [name]: target.value }))}
        />
      ))}
      <Preview text={body ?? filledSoFar(template.body, written, lead)} />
      {missing.length > 0 && <p>{texts.missing(missing.join(', '))}</p>}
      {error !== undefined && <p role="alert">{explain(error)}</p>}
      <footer className={styles.dialogFoot}>
        <Button onClick={onBack}>{texts.backToList}</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {texts.insert}
        </Button>
      </footer>
    </form>
  );
}

/** The service fills a text in once nothing is missing. Until then the preview has what is known. */
function filledSoFar(body: string, values: Readonly<Record<string, string>>, { name, chat }: ConversationLead): string {
  const parsed = parseTemplate(body);
  if ('problem' in parsed) return body;
  return renderParts(parsed, values, { name, chat, source: '' })
    .map((part) => ('missing' in part ? `{{${part.missing}}}` : part.text))
    .join('');
}

function ChannelTemplates({ instanceId, onSend, onClose }: TemplateDialogProps & { instanceId: string }) {
  const texts = useTexts(composerTexts);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ChannelTemplate>();
  const [values, setValues] = useState<Record<string, string>>({});
  const { data, error, reload } = useLoaded(`channel templates ${instanceId} ${search}`, () =>
    askAgain(ChannelTemplatesToInsertDocument, { instanceId, search: search === '' ? null : search }),
  );
  const found = data?.channelTemplates.edges.map(({ node }) => node);
  if (chosen === undefined)
    return (
      <div className={styles.templates} onKeyDown={moveThroughChoices}>
        <SearchField value={search} onChange={setSearch} />
        {found === undefined && (error === undefined ? <Loading /> : <LoadFailed error={error} onRetry={reload} />)}
        {found?.length === 0 && <p>{texts.noneFound}</p>}
        <ul className={styles.choices}>
          {found?.map((template) => {
            const isUsable = template.status === 'APPROVED' || template.status === 'FLAGGED';
            return (
              <li key={template.id}>
                <button type="button" disabled={!isUsable} onClick={() => setChosen(template)}>
                  <strong>
                    {template.name} · {template.language}
                  </strong>
                  <span dir="auto">
                    {isUsable
                      ? previewOf(template.components, {})
                      : texts.notApproved(template.statusReason ?? template.status)}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      </div>
    );
  const missing = chosen.variables.filter((path) => (values[path] ?? '').trim() === '');
  const text = previewOf(chosen.components, values);
  const use = () => {
    if (missing.length > 0) return;
    if (onSend({ id: chosen.id, variables: toVariables(values) }, text)) onClose();
  };
  return (
    <form className={styles.templates} action={use}>
      <h3>
        {chosen.name} · {chosen.language}
      </h3>
      {chosen.variables.map((path, place) => (
        <TextField
          key={path}
          label={path}
          autoFocus={place === 0}
          value={values[path] ?? ''}
          dir="auto"
          onChange={({ target }) => setValues((now) => ({ ...now, [path]: target.value }))}
        />
      ))}
      <Preview text={text} />
      {missing.length > 0 && <p>{texts.missing(missing.join(', '))}</p>}
      <footer className={styles.dialogFoot}>
        <Button onClick={() => setChosen(undefined)}>{texts.backToList}</Button>
        <Button kind="primary" type="submit" disabled={missing.length > 0}>
          {texts.useTemplate}
        </Button>
      </footer>
    </form>
  );
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const texts = useTexts(composerTexts);
  return (
    <TextField
      label={texts.search}
      value={value}
      maxLength={100}
      autoFocus
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function Preview({ text }: { text: string }) {
  const texts = useTexts(composerTexts);
  return (
    <section aria-label={texts.preview} className={styles.preview} dir="auto">
      {text}
    </section>
  );
}
