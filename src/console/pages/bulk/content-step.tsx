// What is sent, and through which instance: a template, or one that the network of the instance keeps.

import { Link } from '@tanstack/react-router';
import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { Select } from '../../parts/field.js';
import { LoadFailed } from '../../parts/status-of-load.js';
import styles from './bulk.module.css';
import { BulkChannelTemplatesDocument, BulkTemplatesDocument } from './operations.js';
import type { BulkChannelTemplatesQuery, BulkInstancesQuery, BulkTemplatesQuery } from './operations.js';
import { bulkTexts } from './texts.js';

export type BulkTemplate = BulkTemplatesQuery['templates']['edges'][number]['node'];
export type ChannelTemplate = BulkChannelTemplatesQuery['channelTemplates']['edges'][number]['node'];

export interface ChosenContent {
  /** Empty: the default instance. */
  instanceId: string;
  template?: BulkTemplate;
  channelTemplate?: ChannelTemplate;
}

/** The provider whose network has templates of its own. */
const networkProvider = 'cloud';
const usable = ['APPROVED', 'FLAGGED'];

interface ContentProps {
  instances: BulkInstancesQuery['chatInstances'];
  chosen: ChosenContent;
  onChoose: (chosen: ChosenContent) => void;
}

export function ContentStep({ instances, chosen, onChoose }: ContentProps) {
  const texts = useTexts(bulkTexts);
  const templates = useLoaded('templates', async () =>
    (await askAgain(BulkTemplatesDocument)).templates.edges.map(({ node }) => node),
  );
  const { instanceId, template, channelTemplate } = chosen;
  const instance = instances.find(({ id }) => id === instanceId) ?? instances.find(({ isDefault }) => isDefault);
  const hasNetwork = instance?.provider === networkProvider;
  const channels = useLoaded(hasNetwork ? instance.id : undefined, async () =>
    (await askAgain(BulkChannelTemplatesDocument, { instanceId: instance?.id ?? '' })).channelTemplates.edges.map(
      ({ node }) => node,
    ),
  );
  const choose = (value: string) => {
    const own = templates.data?.find(({ id }) => value === `own ${id}`);
    const network = channels.data?.find(({ id }) => value === `network ${id}`);
    onChoose({
      instanceId,
      ...(own !== undefined && { template: own }),
      ...(network !== undefined && { channelTemplate: network }),
    });
  };
  const value = channelTemplate !== undefined ? `network ${channelTemplate.id}` : template ? `own ${template.id}` : '';
  const body = channelTemplate === undefined ? template?.body : textOfChannelTemplate(channelTemplate);
  return (
    <>
      {templates.error !== undefined && <LoadFailed error={templates.error} onRetry={templates.reload} />}
      {channels.error !== undefined && <LoadFailed error={channels.error} onRetry={channels.reload} />}
      <div className={styles.fields}>
        <Select
          label={texts.instance}
          value={instanceId}
          options={[
            {
              value: '',
              label: texts.defaultInstance(instances.find(({ isDefault }) => isDefault)?.instanceName ?? ''),
            },
            ...instances.map(({ id, instanceName, status }) => ({
              value: id,
              label: status === 'CONNECTED' ? instanceName : texts.notConnected(instanceName),
            })),
          ]}
          onChoose={(id) => onChoose({ instanceId: id, ...(template !== undefined && { template }) })}
        />
        <Select
          label={texts.template}
          value={value}
          options={[
            { value: '', label: texts.choose },
            ...(templates.data ?? []).map(({ id, name }) => ({ value: `own ${id}`, label: name })),
            ...(hasNetwork ? (channels.data ?? []) : []).map(({ id, name, language, status }) => ({
              value: `network ${id}`,
              label: texts.channelTemplate(name, language, usable.includes(status) ? '' : status),
              isDisabled: !usable.includes(status),
            })),
          ]}
          onChoose={choose}
        />
      </div>
      {templates.data?.length === 0 && (
        <p>
          {texts.noTemplates}{' '}
          <Link to="/templates" search={{ id: 'new' }}>
            {texts.newTemplate}
          </Link>
        </p>
      )}
      {hasNetwork && channelTemplate === undefined && template !== undefined && (
        <p className={styles.warning}>{texts.windowHint}</p>
      )}
      {body !== undefined && (
        <p className={styles.bubble} dir="auto">
          {body}
        </p>
      )}
    </>
  );
}

/** The text of its body, with its places as the network writes them. */
export function textOfChannelTemplate({ components }: ChannelTemplate): string {
  const list = Array.isArray(components) ? (components as { type?: unknown; text?: unknown }[]) : [];
  const body = list.find(({ type }) => String(type).toUpperCase() === 'BODY');
  return typeof body?.text === 'string' ? body.text : '';
}
