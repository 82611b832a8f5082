// The editor of one template: name, text, variables, preview and versions. A change names the version that it is based on, so that two
// users never overwrite each other.

import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ask, askAgain } from '../../api/client.js';
import { RequestError, explain, requestLine } from '../../api/request-error.js';
import { useCommands } from '../../app/commands.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { TextArea, TextField } from '../../parts/field.js';
import { nameOf } from '../../parts/name-of.js';
import { Keys } from '../../parts/keys.js';
import { LeaveQuestion } from '../../parts/leave-question.js';
import { notify } from '../../parts/notices.js';
import { lengthOf, maxBodyLength, parseTemplate } from '../../parts/template-text.js';
import { InsertButtons } from './insert-buttons.js';
import {
  AddTemplateDocument,
  ChangeTemplateDocument,
  RemoveTemplateDocument,
  WholeTemplateDocument,
  type EditedTemplateFragment,
} from './operations.js';
import { draftOf, isShortcut, toChange, toCreation, type TemplateDraft } from './template-draft.js';
import { TemplateFields } from './template-fields.js';
import { TemplatePreview } from './template-preview.js';
import { TemplateVersions } from './template-versions.js';
import styles from './templates.module.css';
import { templateTexts } from './texts.js';

interface EditorProps {
  /** Undefined for a new template. */
  template?: EditedTemplateFragment;
  onSaved: (template: EditedTemplateFragment) => void;
  onRemoved: () => void;
}

interface Problems {
  name?: string;
  body?: string;
  shortcut?: string;
  form?: string;
  /** The stored template, if a colleague changed it since. */
  conflict?: EditedTemplateFragment;
}

function problemsOf(error: unknown): Problems {
  const fields = error instanceof RequestError ? error.fields : [];
  const found: Problems = {};
  for (const { path, message } of fields) {
    const field = path.replace(/^input\./, '').split('.')[0];
    if (field === 'name' || field === 'body' || field === 'shortcut') found[field] = message;
  }
  const line = requestLine(error);
  return Object.keys(found).length > 0 ? found : { form: `${explain(error)} ${line ?? ''}` };
}

const isConflict = (error: unknown) =>
  error instanceof RequestError &&
  error.code === 'CONFLICT' &&
  error.fields.some(({ path }) => path === 'expectedVersion');

function useEditor({ template, onSaved }: EditorProps) {
  const texts = useTexts(templateTexts);
  const [changes, setChanges] = useState<Partial<TemplateDraft>>({});
  const [base, setBase] = useState(template?.version);
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setIsBusy] = useState(false);
  // A key may come twice before the busy state is drawn.
  const isSaving = useRef(false);
  // A new template opens its own address at once after it is saved, and no question may hold that back.
  const hasChanges = useRef(false);
  const draft: TemplateDraft = { ...draftOf(template), ...changes };
  const change = (apply: (draft: TemplateDraft) => Partial<TemplateDraft>) =>
    setChanges((now) => ({ ...now, ...apply({ ...draftOf(template), ...now }) }));

  const store = async (wanted: TemplateDraft): Promise<EditedTemplateFragment> => {
    if (template === undefined) return (await ask(AddTemplateDocument, { input: toCreation(wanted) })).createTemplate;
    const input = { ...toChange(wanted, template), expectedVersion: base ?? template.version };
    return (await ask(ChangeTemplateDocument, { id: template.id, input })).updateTemplate;
  };
  const save = async () => {
    if (isSaving.current) return;
    isSaving.current = true;
    setIsBusy(true);
    setProblems({});
    try {
      const saved = await store(draft);
      hasChanges.current = false;
      // A change that was written meanwhile stays, over what is saved now.
      setChanges((now) => (now === changes ? {} : now));
      setBase(saved.version);
      notify(template === undefined ? texts.created : texts.saved);
      onSaved(saved);
    } catch (error) {
      if (isConflict(error) && template !== undefined) {
        try {
          const now = (await askAgain(WholeTemplateDocument, { id: template.id })).template;
          setProblems(now === null ? { form: texts.notFound } : { conflict: now });
        } catch (failure) {
          setProblems({ form: explain(failure) });
        }
      } else setProblems(problemsOf(error));
    } finally {
      isSaving.current = false;
      setIsBusy(false);
    }
  };
  /** Keeps the user's text and bases it on the stored version. */
  const keepOwn = (now: EditedTemplateFragment) => {
    setChanges(draft);
    setBase(now.version);
    setProblems({});
    onSaved(now);
  };
  const takeTheirs = (now: EditedTemplateFragment) => {
    setChanges({});
    setBase(now.version);
    setProblems({});
    onSaved(now);
  };
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(template));
  hasChanges.current = isChanged;
  const discard = () => setChanges({});
  return { draft, change, discard, problems, isBusy, isChanged, hasChanges, save, keepOwn, takeTheirs };
}

const idIn = ({ search }: { search: object }) => ('id' in search ? search.id : undefined);

export function TemplateEditor(props: EditorProps) {
  const { template, onRemoved } = props;
  const texts = useTexts(templateTexts);
  const formats = useFormats();
  const editor = useEditor(props);
  const { draft, change, problems, save } = editor;
  const { name, body } = draft;
  const field = useRef<HTMLDivElement>(null);
  const [isRemoving, setIsRemoving] = useState(false);
  const { problem, canSave } = useCheck(editor);
  useCommands([
    ...(canSave
      ? [
          { id: 'save-template', title: texts.save, keys: '$mod+s', group: texts.title, run: () => save() },
          // The key of a form also works, as in a dialog.
          {
            id: 'send-template',
            title: texts.save,
            keys: '$mod+Enter',
            group: texts.title,
            isHidden: true,
            run: () => save(),
          },
        ]
      : []),
    ...(template === undefined
      ? []
      : [{ id: 'delete-template', title: texts.remove, group: texts.title, run: () => setIsRemoving(true) }]),
  ]);

  const insert = (text: string) => {
    const area = field.current?.querySelector('textarea');
    const [from, to] = [area?.selectionStart ?? body.length, area?.selectionEnd ?? body.length];
    // The next letter belongs behind the text that is put in.
    flushSync(() => change(() => ({ body: body.slice(0, from) + text + body.slice(to) })));
    area?.focus();
    area?.setSelectionRange(from + text.length, from + text.length);
  };
  // The text that the field had is saved nowhere yet.
  const restore = (text: string, version: number) => {
    change(() => ({ body: text }));
    notify(texts.restored(formats.number(version)), { undo: () => change(() => ({ body })) });
  };

  return (
    <div className={styles.editor}>
      <form className={styles.card} action={() => void save()} aria-label={template?.name ?? texts.create}>
        <header className={styles.head}>
          <h2 dir="auto">{template?.name ?? texts.create}</h2>
          {template !== undefined && <LastChange template={template} />}
        </header>
        <TextField
          label={texts.name}
          autoFocus={template === undefined}
          value={name}
          maxLength={100}
          required
          dir="auto"
          hint={texts.nameHint}
          error={problems.name}
          onChange={({ target }) => change(() => ({ name: target.value }))}
        />
        <div ref={field} className={styles.body}>
          <TextArea
            label={texts.text}
            rows={6}
            value={body}
            required
            dir="auto"
            hint={texts.length(formats.number(lengthOf(body)), formats.number(maxBodyLength))}
            error={problem}
            onChange={({ target }) => change(() => ({ body: target.value }))}
          />
        </div>
        <InsertButtons onInsert={insert} />
        <TemplateFields template={template} draft={draft} change={change} shortcutProblem={problems.shortcut} />
        {problems.conflict !== undefined && (
          <Conflict now={problems.conflict} onKeep={editor.keepOwn} onTake={editor.takeTheirs} />
        )}
        {problems.form !== undefined && (
          <p role="alert" className={styles.problem}>
            {problems.form}
          </p>
        )}
        <EditorActions editor={editor} {...(template !== undefined && { onRemove: () => setIsRemoving(true) })} />
      </form>
      <LeaveQuestion
        hasChanges={() => editor.hasChanges.current}
        isKept={(current, next) => current.pathname === next.pathname && idIn(current) === idIn(next)}
      />
      <TemplatePreview body={body} />
      {template !== undefined && <TemplateVersions template={template} onRestore={restore} />}
      {isRemoving && template !== undefined && (
        <ConfirmDialog
          title={texts.removeTitle}
          text={texts.removeHint(template.name)}
          confirmLabel={texts.remove}
          onConfirm={async () => {
            await ask(RemoveTemplateDocument, { id: template.id });
            notify(texts.removed);
            onRemoved();
          }}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </div>
  );
}

function useCheck({ draft: { name, body, shortcut }, problems, isChanged }: ReturnType<typeof useEditor>) {
  const texts = useTexts(templateTexts);
  const formats = useFormats();
  const parsed = parseTemplate(body);
  const written =
    'problem' in parsed ? texts.wrongAt(texts[parsed.problem], formats.number(parsed.position)) : undefined;
  const tooLong = lengthOf(body) > maxBodyLength ? texts.tooLong(formats.number(maxBodyLength)) : undefined;
  const isGiven = name.trim() !== '' && body.trim() !== '' && isShortcut(shortcut);
  const canSave = isChanged && isGiven && written === undefined && tooLong === undefined;
  return { problem: problems.body ?? written ?? tooLong, canSave };
}

interface ActionsProps {
  editor: ReturnType<typeof useEditor>;
  /** Undefined for a new template. */
  onRemove?: () => void;
}

function EditorActions({ editor, onRemove }: ActionsProps) {
  const texts = useTexts(templateTexts);
  const { isBusy, isChanged, discard } = editor;
  const { canSave } = useCheck(editor);
  return (
    <div className={styles.actions} data-bar-of-acts={isChanged || undefined}>
      {onRemove !== undefined && (
        <Button isFlush kind="danger" icon="trash" onClick={onRemove}>
          {texts.remove}
        </Button>
      )}
      <span />
      {isChanged && onRemove !== undefined && <Button onClick={discard}>{texts.discard}</Button>}
      <Button kind="primary" type="submit" isBusy={isBusy} disabled={!canSave}>
        {texts.save}
        {canSave && (
          <span aria-hidden>
            <Keys keys="$mod+s" />
          </span>
        )}
      </Button>
    </div>
  );
}

const authorOf = (template: EditedTemplateFragment) => {
  const author = template.versions[0]?.author;
  return author == null ? undefined : nameOf(author);
};

function LastChange({ template }: { template: EditedTemplateFragment }) {
  const texts = useTexts(templateTexts);
  const formats = useFormats();
  const { version, updatedAt } = template;
  return (
    <small>
      {texts.version(formats.number(version))} ·{' '}
      {texts.changedBy(authorOf(template) ?? texts.someone, formats.full(updatedAt))}
    </small>
  );
}

interface ConflictProps {
  now: EditedTemplateFragment;
  onKeep: (now: EditedTemplateFragment) => void;
  onTake: (now: EditedTemplateFragment) => void;
}

function Conflict({ now, onKeep, onTake }: ConflictProps) {
  const texts = useTexts(templateTexts);
  const formats = useFormats();
  return (
    <div role="alert" className={styles.conflict}>
      <p>{texts.conflict(authorOf(now) ?? texts.someone, formats.full(now.updatedAt), formats.number(now.version))}</p>
      <pre dir="auto">{now.body}</pre>
      <div className={styles.actions}>
        <Button onClick={() => onTake(now)}>{texts.takeTheirs}</Button>
        <Button kind="primary" onClick={() => onKeep(now)}>
          {texts.keepOwn}
        </Button>
      </div>
    </div>
  );
}
