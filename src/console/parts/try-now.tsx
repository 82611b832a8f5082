// Has a gateway that did not answer tried again, for somebody who knows that it runs.

import { ask } from '../api/client.js';
import { TryInstanceNowDocument } from '../api/operations.js';
import { useAction } from '../api/use-action.js';
import { useTexts } from '../i18n/language.js';
import { Button } from './button.js';
import { notify } from './notices.js';
import { tryNowTexts } from './try-now-texts.js';

interface TryNowProps {
  instance: { id: string; instanceName: string };
  kind: 'quiet' | 'line';
}

export function TryNow({ instance: { id, instanceName }, kind }: TryNowProps) {
  const texts = useTexts(tryNowTexts);
  const attempt = useAction(async () => {
    const { tryChatInstanceNow: isTried } = await ask(TryInstanceNowDocument, { id });
    notify(isTried ? texts.isTried(instanceName) : texts.noneWaits(instanceName));
  });
  return (
    <Button kind={kind} isBusy={attempt.isBusy} onClick={() => void attempt.start()}>
      {texts.tryNow}
    </Button>
  );
}
