// The choice of content and instance for a bulk send: a template of the tenant, or a template of the instance's network.

import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { askAgain } from '../../api/client.js';
import { useLoaded } from '../../api/use-loaded.js';
import { useTexts } from '../../i18n/language.js';
import { Select } from '../../parts/field.js';
import { providers } from '../../parts/providers.js';
import { LoadFailed } from '../../parts/status-of-load.js';
import styles from './bulk.module.css';
import {
  BulkChannelTemplatesDocument,
  BulkTemplatesDocument,
  type BulkChannelTemplatesQuery,
  type BulkInstancesQuery,
  type BulkTemplatesQuery,
} from './operations.js';
import { formTexts } from './form-texts.js';

export type BulkTemplate = BulkTemplatesQuery['templates']['edges'][number]['node'];
export type ChannelTemplate = BulkChannelTemplatesQuery['channelTemplates']['edges'][number]['node'];

export interface ChosenContent {
  /** An empty value selects the default instance. */
  instanceId: string;
  template?: BulkTemplate;
  channelTemplate?: ChannelTemplate;
}

const usable = ['APPROVED', 'FLAGGED'];

interface ContentProps {
  instances: BulkInstancesQuery['chatInstances'];
  chosen: ChosenContent;
  onChoose: (chosen: ChosenContent) => void;
}

/** Loads the templates that can be sent through the chosen instance. */
function useOffers(instance: ContentProps['instances'][number] | undefined) {
  const templates = useLoaded('templates', async () =>
    (await askAgain(BulkTemplatesDocument)).templates.edges.map(({ node }) => node),
  );
  const networkId = instance !== undefined && providers[instance.provider]?.hasTemplates ? instance.id : undefined;
  const channels = useLoaded(networkId, async () =>
    (await askAgain(BulkChannelTemplatesDocument, { instanceId: networkId ?? '' })).channelTemplates.edges.map(
      ({ node }) => node,
    ),
  );
  return { templates, channels, hasNetwork: networkId !== undefined };
}

export function ContentStep({ instances, chosen, onChoose }: ContentProps) {
  const texts = useTexts(formTexts);
  const { instanceId, template } = chosen;
  const usual = instances.find(({ isDefault }) => isDefault);
  const offers = useOffers(instances.find(({ id }) => id === instanceId) ?? usual);
  const { templates, channels } = offers;
  // A draft may hold a template that was changed or deleted since.
  useEffect(() => {
    if (templates.data === undefined || template === undefined) return;
    const now = templates.data.find(({ id }) => id === template.id);
    if (now?.version !== template.version) onChoose({ instanceId, ...(now !== undefined && { template: now }) });
  }, [templates.data]);
  return (
    <>
      {templates.error !== undefined && <LoadFailed error={templates.error} onRetry={templates.reload} />}
      {channels.error !== undefined && <LoadFailed error={channels.error} onRetry={channels.reload} />}
      <div className={styles.fields}>
        <Select
          label={texts.instance}
          value={instanceId}
          options={[
            { value: '', label: texts.defaultInstance(usual?.instanceName ?? '') },
            ...instances.map(({ id, instanceName, status }) => ({
              value: id,
              label: status === 'CONNECTED' || status === 'DEGRADED' ? instanceName : texts.notConnected(instanceName),
            })),
          ]}
          onChoose={(id) => onChoose({ instanceId: id, ...(template !== undefined && { template }) })}
        />
        <TemplateChoice offers={offers} chosen={chosen} onChoose={onChoose} />
      </div>
      {templates.data?.length === 0 && (
        <p>
          {texts.noTemplates}{' '}
          <Link to="/templates" search={{ id: 'new' }}>
            {texts.newTemplate}
          </Link>
        </p>
      )}
      <ChosenText chosen={chosen} hasNetwork={offers.hasNetwork} />
    </>
  );
}

type ChoiceProps = Pick<ContentProps, 'chosen' | 'onChoose'> & { offers: ReturnType<typeof useOffers> };

function TemplateChoice({ offers, chosen, onChoose }: ChoiceProps) {
  const texts = useTexts(formTexts);
  const own = offers.templates.data ?? [];
  const network = offers.channels.data ?? [];
  const { instanceId, template, channelTemplate } = chosen;
  const choose = (value: string) => {
    const found = own.find(({ id }) => value === `own ${id}`);
    const channel = network.find(({ id }) => value === `network ${id}`);
    onChoose({
      instanceId,
      ...(found !== undefined && { template: found }),
      ...(channel !== undefined && { channelTemplate: channel }),
    });
  };
  const ownValue = template === undefined ? '' : `own ${template.id}`;
  return (
    <Select
      label={texts.template}
      value={channelTemplate === undefined ? ownValue : `network ${channelTemplate.id}`}
      options={[
        { value: '', label: texts.choose },
        ...own.map(({ id, name }) => ({ value: `own ${id}`, label: name })),
        ...network.map(({ id, name, language, status }) => ({
          value: `network ${id}`,
          label: texts.channelTemplate(name, language, usable.includes(status) ? '' : status),
          isDisabled: !usable.includes(status),
        })),
      ]}
      onChoose={choose}
    />
  );
}

function ChosenText({ chosen, hasNetwork }: { chosen: ChosenContent; hasNetwork: boolean }) {
  const texts = useTexts(formTexts);
  const { template, channelTemplate } = chosen;
  const body = channelTemplate === undefined ? template?.body : textOfChannelTemplate(channelTemplate);
  if (body === undefined) return null;
  return (
    <>
      {hasNetwork && channelTemplate === undefined && <p className={styles.warning}>{texts.windowHint}</p>}
      <p className={styles.bubble} dir="auto">
        {body}
      </p>
    </>
  );
}

/** Returns the body text of a network template, with the network's own placeholders. */
export function textOfChannelTemplate({ components }: ChannelTemplate): string {
  const list = Array.isArray(components) ? (components as { type?: unknown; text?: unknown }[]) : [];
  const body = list.find(({ type }) => String(type).toUpperCase() === 'BODY');
  return typeof body?.text === 'string' ? body.text : '';
}
