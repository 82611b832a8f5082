// A page with some of the company's settings: it loads the company, and saves only what was changed.

import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useAction, type Action } from '../../api/use-action.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { FormError } from '../../parts/form-error.js';
import { notify } from '../../parts/notices.js';
import { Page } from '../../parts/page.js';
import { SaveBar } from '../../parts/save-bar.js';
import { Loading, LoadFailed } from '../../parts/status-of-load.js';
import { AdminSection } from './admin-section.js';
import { changedSettings, toChange, toFields, type CompanyFields } from './company-fields.js';
import { companyTexts } from './company-texts.js';
import { CompanyDocument, UpdateCompanyDocument, type CompanySettingsFragment } from './operations.js';
import styles from './settings.module.css';

/** The values of a page's fields, and their changes. */
export interface CompanyForm {
  fields: CompanyFields;
  set: (change: Partial<CompanyFields>) => void;
  save: Action<[]>;
}

interface CompanySettingsProps {
  title: string;
  /** The whom and what of the page, in a sentence. */
  about: string;
  children: (form: CompanyForm) => ReactNode;
}

export function CompanySettings({ title, about, children }: CompanySettingsProps) {
  return (
    <Page title={title}>
      <p className={styles.about}>{about}</p>
      <AdminSection>{(tenantId) => <LoadedCompany tenantId={tenantId}>{children}</LoadedCompany>}</AdminSection>
    </Page>
  );
}

function LoadedCompany({ tenantId, children }: { tenantId: string } & Pick<CompanySettingsProps, 'children'>) {
  const { data, error, reload, change } = useLoaded(
    tenantId,
    async () => (await askAgain(CompanyDocument, { id: tenantId })).tenant,
  );
  if (error !== undefined) return <LoadFailed error={error} onRetry={reload} />;
  if (data == null) return <Loading />;
  return (
    <EditedCompany company={data} onSaved={(saved) => change(() => saved)}>
      {children}
    </EditedCompany>
  );
}

interface EditedCompanyProps extends Pick<CompanySettingsProps, 'children'> {
  company: CompanySettingsFragment;
  onSaved: (saved: CompanySettingsFragment) => void;
}

function EditedCompany({ company, onSaved, children }: EditedCompanyProps) {
  const texts = useTexts(companyTexts);
  const formId = useId();
  const before = toFields(company);
  const [fields, setFields] = useState(before);
  const set = (change: Partial<CompanyFields>) => setFields((now) => ({ ...now, ...change }));
  const save = useAction(
    async () => {
      const { updateTenant } = await ask(UpdateCompanyDocument, { id: company.id, input: toChange(fields, before) });
      onSaved(updateTenant);
      // A change that was written meanwhile stays.
      setFields((now) => (now === fields ? toFields(updateTenant) : now));
      notify(texts.saved);
    },
    { isForm: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.start();
  };
  const discard = () => {
    setFields(before);
    save.clear();
  };
  const changes = changedSettings(fields, before).map((name) => texts[name]);
  return (
    <>
      <form id={formId} className={styles.rows} data-rows onSubmit={submit}>
        {children({ fields, set, save })}
        <FormError error={save.error} />
      </form>
      <div className={styles.keep}>
        <SaveBar formId={formId} changes={changes} isBusy={save.isBusy} onDiscard={discard} />
      </div>
    </>
  );
}
