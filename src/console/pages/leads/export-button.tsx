// Saves the leads of the current filters as CSV. The window keeps the streamed answer until the browser has saved it.

import { useState } from 'react';
import { useCommands } from '../../app/commands.js';
import { accessToken } from '../../app/session.js';
import { readFile } from '../../api/rest.js';
import { dayOfTime } from '../../i18n/local-time.js';
import { useTexts } from '../../i18n/language.js';
import { Button } from '../../parts/button.js';
import { notifyFailure } from '../../parts/notices.js';
import { Progress } from '../../parts/progress.js';
import { saveFile } from '../../parts/save-file.js';
import { leadsTexts } from './texts.js';

export function ExportButton({ filter, orderBy }: { filter: object; orderBy: object }) {
  const texts = useTexts(leadsTexts);
  const [isBusy, setIsBusy] = useState(false);
  const run = async () => {
    setIsBusy(true);
    try {
      const parameters = new URLSearchParams({ filter: JSON.stringify(filter), orderBy: JSON.stringify(orderBy) });
      const leads = await readFile(`/leads/export.csv?${parameters}`, await accessToken());
      saveFile(leads, `leads-${dayOfTime(new Date().toISOString())}.csv`);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  useCommands([{ id: 'export-leads', title: texts.export, group: texts.title, run }]);
  return (
    <>
      <Button icon="download" isBusy={isBusy} onClick={() => void run()}>
        {texts.export}
      </Button>
      {isBusy && <Progress label={texts.exporting} />}
    </>
  );
}
