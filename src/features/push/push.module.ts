// Assembles the services of notifications to browsers.

import type { PushSender } from '../../clients/push-sender.js';
import type { Config } from '../../config/config.js';
import type { Foundation } from '../../platform/foundation.js';
import { PushDeviceService } from './push-device.service.js';
import { PushDispatcher } from './push-dispatcher.js';
import { PushRoundService } from './push-round.service.js';

const postsAtOnce = 64;
const pauseMs = 1_000;
const pollIntervalMs = 5_000;

/** @param sender undefined where push is not offered */
export function createPush(
  { database, notifier, metrics, log }: Foundation,
  sender: PushSender | undefined,
  { webPush, processRole }: Config,
) {
  const rounds =
    sender === undefined
      ? undefined
      : new PushRoundService({ database, sender, metrics, totalConcurrency: postsAtOnce });
  const pushDispatcher = new PushDispatcher({ database, notifier, rounds, log, pauseMs, pollIntervalMs });
  const onKept = (tenantId: string) => {
    if (processRole !== 'api') pushDispatcher.follow(tenantId);
  };
  return {
    pushDispatcher,
    pushDevices: new PushDeviceService({
      database,
      publicKey: webPush?.publicKey,
      checkUrl: (url) => sender?.checkUrl(url),
      onKept,
    }),
  };
}
