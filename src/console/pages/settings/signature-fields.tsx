// The company's choice of signatures: where they stand, what they say, and how a message then looks.

import { useMe } from '../../api/use-me.js';
import { useTexts } from '../../i18n/language.js';
import { Select, TextArea } from '../../parts/field.js';
import { nameOf } from '../../parts/name-of.js';
import type { CompanyFields } from './company-fields.js';
import styles from './settings.module.css';
import { signatureTexts } from './signature-texts.js';

interface SignatureFieldsProps {
  fields: CompanyFields;
  set: (change: Partial<CompanyFields>) => void;
  formatProblem: string | undefined;
}

const modes = ['OFF', 'BEFORE'] as const;
const firstFormat = '*{{operator.displayName}}:*';

export function SignatureFields({ fields, set, formatProblem }: SignatureFieldsProps) {
  const texts = useTexts(signatureTexts);
  const me = useMe();
  const format = fields.signatureFormat.trim() === '' ? firstFormat : fields.signatureFormat;
  const name = me === undefined ? '' : nameOf(me);
  return (
    <fieldset className={styles.group}>
      <legend>{texts.signature}</legend>
      <Select
        label={texts.signature}
        isLabelHidden
        hint={texts.signatureHint}
        value={fields.signature}
        onChoose={(chosen) => set({ signature: modes.find((mode) => mode === chosen) ?? 'OFF' })}
        options={modes.map((value) => ({ value, label: texts[value] }))}
      />
      {fields.signature === 'BEFORE' && (
        <>
          <TextArea
            label={texts.format}
            hint={texts.formatHint}
            rows={2}
            maxLength={200}
            dir="auto"
            value={fields.signatureFormat}
            onChange={({ target }) => set({ signatureFormat: target.value })}
            error={formatProblem}
          />
          <p aria-label={texts.preview} role="note" dir="auto" className={styles.hint}>
            {format.replaceAll(/\{\{\s*operator\.displayName\s*\}\}/g, () => name)}
            <br />
            {texts.text}
          </p>
        </>
      )}
    </fieldset>
  );
}
