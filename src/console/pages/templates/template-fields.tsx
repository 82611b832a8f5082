// The fields of a template beside its name and text: shortcut, who uses it, and its files.

import { useRef, useState } from 'react';
import { upload } from '../../api/rest.js';
import { accessToken, sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { Button, IconButton } from '../../parts/button.js';
import { Select, TextField } from '../../parts/field.js';
import { notify, notifyFailure } from '../../parts/notices.js';
import type { EditedTemplateFragment } from './operations.js';
import { isShortcut, maxFiles, maxShortcutLength, type TemplateDraft, type TemplateFile } from './template-draft.js';
import { templateFieldTexts } from './template-field-texts.js';
import styles from './template-fields.module.css';

interface TemplateFieldsProps {
  /** Undefined for a new template. */
  template: EditedTemplateFragment | undefined;
  draft: TemplateDraft;
  change: (change: (draft: TemplateDraft) => Partial<TemplateDraft>) => void;
  /** The problem that the service reports for the shortcut. */
  shortcutProblem: string | undefined;
}

export function TemplateFields({ template, draft, change, shortcutProblem }: TemplateFieldsProps) {
  const texts = useTexts(templateFieldTexts);
  const ownId = useStore(sessionState).user?.id;
  const isOwn = template === undefined || template.author?.id === ownId;
  const personal = isOwn ? texts.personal : texts.personalOther;
  return (
    <>
      <TextField
        label={texts.shortcut}
        value={draft.shortcut}
        maxLength={maxShortcutLength + 1}
        dir="auto"
        autoCapitalize="none"
        spellCheck={false}
        hint={texts.shortcutHint}
        error={isShortcut(draft.shortcut) ? shortcutProblem : texts.shortcutRule}
        onChange={({ target }) => change(() => ({ shortcut: target.value }))}
      />
      <Select
        label={texts.visibility}
        value={draft.isPersonal ? 'PERSONAL' : 'SHARED'}
        hint={isOwn ? texts.visibilityHint : texts.notOwn}
        options={[
          { value: 'SHARED', label: texts.shared },
          { value: 'PERSONAL', label: personal, isDisabled: !isOwn && template.visibility !== 'PERSONAL' },
        ]}
        onChoose={(chosen) => change(() => ({ isPersonal: chosen === 'PERSONAL' }))}
      />
      <TemplateFiles draft={draft} change={change} />
    </>
  );
}

interface Uploaded {
  id: string;
  mimeType: string;
  size: number;
}

/** The files in the order of sending. One is uploaded after the other. */
function TemplateFiles({ draft: { files }, change }: Pick<TemplateFieldsProps, 'draft' | 'change'>) {
  const texts = useTexts(templateFieldTexts);
  const formats = useFormats();
  const picker = useRef<HTMLInputElement>(null);
  const [underWay, setUnderWay] = useState<{ name: string; share: number }>();
  const most = formats.number(maxFiles);

  const add = async (picked: readonly File[]) => {
    if (files.length + picked.length > maxFiles) notify(texts.tooMany(most));
    try {
      for (const file of picked.slice(0, maxFiles - files.length)) {
        const added = await send(file, (share) => setUnderWay({ name: file.name, share }));
        change((now) => ({ files: [...now.files, added] }));
      }
    } catch (error) {
      notifyFailure(error);
    } finally {
      setUnderWay(undefined);
    }
  };

  return (
    <div role="group" aria-label={texts.files} className={styles.files}>
      <span aria-hidden>{texts.files}</span>
      {files.length > 0 && (
        <ul>
          {files.map(({ id, fileName, mimeType, size, url }) => (
            <li key={id}>
              {mimeType.startsWith('image/') && url !== '' && <img src={url} alt="" />}
              <span dir="auto">{fileName ?? mimeType}</span>
              <small>{formats.bytes(size)}</small>
              <IconButton
                icon="close"
                label={texts.removeFile(fileName ?? mimeType)}
                onClick={() => change((now) => ({ files: now.files.filter((file) => file.id !== id) }))}
              />
            </li>
          ))}
        </ul>
      )}
      {underWay !== undefined && (
        <progress aria-label={texts.uploading(underWay.name)} max={1} value={underWay.share} />
      )}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          void add([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <Button
        icon="attach"
        isBusy={underWay !== undefined}
        disabled={files.length >= maxFiles}
        onClick={() => picker.current?.click()}
      >
        {texts.addFiles}
      </Button>
      <small>{texts.filesHint(most)}</small>
    </div>
  );
}

async function send(file: File, onProgress: (share: number) => void): Promise<TemplateFile> {
  const body = new FormData();
  body.append('file', file, file.name);
  const { id, mimeType, size } = await upload<Uploaded>({
    path: '/media',
    body,
    accessToken: await accessToken(),
    onProgress,
  });
  // The address comes with the saved template.
  return { id, mimeType, size, fileName: file.name, url: '' };
}
