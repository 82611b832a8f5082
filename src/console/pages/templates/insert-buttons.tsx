// Buttons that insert a variable into a text: fields of the lead, fields that recent leads have, and the user's own variable.

import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { leadFields } from '../../parts/template-text.js';
import { TemplateSamplesDocument } from './operations.js';
import styles from './templates.module.css';
import { templateTexts } from './texts.js';

const maxOffered = 12;

export function InsertButtons({ onInsert }: { onInsert: (text: string) => void }) {
  const texts = useTexts(templateTexts);
  const { data } = useLoaded('samples', () => askAgain(TemplateSamplesDocument));
  const keys = new Set(
    data?.leads.edges.flatMap(({ node }) => Object.keys(node.customFields).map((key) => `lead.customFields.${key}`)),
  );
  return (
    <div role="group" aria-label={texts.insert} className={styles.insert}>
      <span aria-hidden>{texts.insert}</span>
      {leadFields.map((field) => (
        <Button key={field} onClick={() => onInsert(`{{${field}}}`)}>
          {texts[field]}
        </Button>
      ))}
      {[...keys].slice(0, maxOffered).map((field) => (
        <Button key={field} onClick={() => onInsert(`{{${field} | }}`)} title={field}>
          <span dir="auto" className={styles.fieldName}>
            {field.slice('lead.customFields.'.length)}
          </span>
        </Button>
      ))}
      <Button icon="plus" onClick={() => onInsert(`{{${texts.variableName}}}`)}>
        {texts.variable}
      </Button>
      <small>{texts.insertHint}</small>
    </div>
  );
}
