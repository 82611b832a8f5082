// Saves the leads of the present filters as CSV. The answer streams; it is kept in this window until the browser has saved it.

import { useState } from 'react';
import { accessToken } from '../../app/session.js';
import { RequestError } from '../../api/request-error.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { notifyFailure } from '../../parts/notices.js';
import { Progress } from '../../parts/progress.js';
import { leadsTexts } from './texts.js';

export function ExportButton({ filter, orderBy }: { filter: object; orderBy: object }) {
  const texts = useTexts(leadsTexts);
  const [isBusy, setIsBusy] = useState(false);
  const run = async () => {
    setIsBusy(true);
    try {
      await save(filter, orderBy);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <Button icon="download" isBusy={isBusy} onClick={() => void run()}>
        {texts.export}
      </Button>
      {isBusy && <Progress label={texts.exporting} />}
    </>
  );
}

async function save(filter: object, orderBy: object): Promise<void> {
  const parameters = new URLSearchParams({ filter: JSON.stringify(filter), orderBy: JSON.stringify(orderBy) });
  const headers = { authorization: `Bearer ${await accessToken()}` };
  const response = await fetch(`/leads/export.csv?${parameters}`, { headers });
  if (!response.ok) {
    const problem = (await response.json()) as { code: string; detail?: string; requestId?: string };
    throw new RequestError(problem.code, problem.detail ?? problem.code, problem.requestId);
  }
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = `leads-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
