// The recipients of a bulk send, whom the caller names, and their texts: read, checked and rendered before anything is queued. The work is
// done in slices, so that a large bulk send does not hold up other requests of the process.

import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import type { Database } from '../../platform/database/database.js';
import { AppError, maxFieldErrors, type FieldError } from '../../platform/errors.js';
import { parseInput, validationFailed } from '../../platform/input/input.js';
import { toMessage, type PreparedChannelTemplate } from '../channel-templates/channel-template.service.js';
import type { QueuedText } from '../outbox/bulk-enqueue.service.js';
import { sortedJson } from '../outbox/sent-content.js';
import type { TemplateLead, TemplateValues } from '../templates/template-text.js';
import { parseTemplateVariables } from '../templates/template.schema.js';
import type { PreparedTemplate } from '../templates/template.service.js';
import {
  channelRecipientSchema,
  recipientSchema,
  sendMessagesSchema,
  type SendMessagesInput,
} from './bulk-send.schema.js';
import { selectBulkLeads } from '../leads/lead-list.sql.js';

/** A lead of the input, with the values of its variables. `values` are for a template, `variables` for a channel template as given. */
export interface Recipient {
  leadId: string;
  values: TemplateValues;
  variables: unknown;
}

/** The template that a bulk send is written with. */
export type BulkTemplate = { template: PreparedTemplate } | { channelTemplate: PreparedChannelTemplate };

/** The text for one recipient, with the recipient's place in the input. */
export interface BulkText extends QueuedText {
  index: number;
}

/** A bulk send of the input, checked. */
export type WantedBulkSend = Omit<z.output<typeof sendMessagesSchema>, 'recipients'> & { recipients: Recipient[] };

interface BulkLead extends TemplateLead {
  wantedId: string;
  id: string;
}

const recipientsPerTurn = 500;
const root = 'recipients';

/** Reads and checks the input. @throws AppError VALIDATION_FAILED naming the first 100 wrong fields */
export async function readBulkSend(input: SendMessagesInput): Promise<WantedBulkSend> {
  const { recipients, ...wanted } = parseInput(sendMessagesSchema, input);
  const problems = new FieldProblems();
  const read: Recipient[] = [];
  await forEachInSlices(recipients, (recipient, index) => {
    const found = readRecipient(recipient, index, problems, wanted.channelTemplateId != null);
    if (found !== undefined) read.push(found);
  });
  problems.throwIfAny();
  return { ...wanted, recipients: read };
}

/** Returns the SHA-256 of the content. The order of recipients counts; the order of a recipient's variables does not. */
export async function hashOfBulkSend(wanted: WantedBulkSend): Promise<Buffer<ArrayBuffer>> {
  const { templateId, channelTemplateId, instanceId = null, sendAt = null, recipients, onOptedOut } = wanted;
  const template = channelTemplateId == null ? templateId : { channelTemplateId };
  // The default value is left out of the hash, so that keys of earlier calls stay valid.
  const choice = onOptedOut === 'REFUSE' ? [onOptedOut] : [];
  const hash = createHash('sha256').update(JSON.stringify([template, instanceId, sendAt, ...choice]));
  await forEachInSlices(recipients, ({ leadId, values, variables }) => {
    const sorted =
      channelTemplateId == null
        ? [...values].sort(([one], [other]) => (one < other ? -1 : 1))
        : sortedJson(variables ?? {});
    hash.update(JSON.stringify([leadId, sorted]));
  });
  return hash.digest();
}

/**
 * Returns the text for each recipient, in their order. A merged lead counts as the lead that it was merged into.
 * @throws AppError VALIDATION_FAILED naming the first 100 problems: unknown leads, leads without a number or named twice, missing
 * variables
 */
export async function renderTexts(
  database: Database,
  tenantId: string,
  template: BulkTemplate,
  recipients: readonly Recipient[],
): Promise<BulkText[]> {
  const writer = new TextWriter(template);
  for (let start = 0; start < recipients.length; start += recipientsPerTurn) {
    const slice = recipients.slice(start, start + recipientsPerTurn);
    const ids = slice.map(({ leadId }) => leadId);
    const values = [tenantId, ids, writer.needsMetadata, writer.needsCustomFields];
    const leads = await database.query<BulkLead>(selectBulkLeads, values);
    writer.write(slice, new Map(leads.map((lead) => [lead.wantedId, lead])), start);
  }
  return writer.finish();
}

class TextWriter {
  /** Metadata and custom fields of a lead may have many KiB: they are read only if the template needs them. */
  readonly needsMetadata: boolean;
  readonly needsCustomFields: boolean;
  private readonly texts: BulkText[] = [];
  private readonly problems = new FieldProblems();
  private readonly indexOfLead = new Map<string, number>();

  constructor(private readonly template: BulkTemplate) {
    const variables = 'template' in template ? template.template.variables : [];
    const asksFor = (prefix: string) => variables.some(({ name }) => name.startsWith(prefix));
    this.needsMetadata = asksFor('lead.metadata.');
    this.needsCustomFields = asksFor('lead.customFields.');
  }

  write(recipients: readonly Recipient[], leads: ReadonlyMap<string, BulkLead>, start: number): void {
    for (const [offset, recipient] of recipients.entries()) {
      const index = start + offset;
      const lead = leads.get(recipient.leadId);
      const problem = this.problemOf(lead, index);
      if (lead === undefined || problem !== undefined)
        this.problems.add(`${root}.${index}.leadId`, problem ?? unknownLead);
      else this.render(lead, recipient, index);
    }
  }

  finish(): BulkText[] {
    this.problems.throwIfAny();
    return this.texts;
  }

  private problemOf(lead: BulkLead | undefined, index: number): string | undefined {
    if (lead === undefined) return unknownLead;
    const first = this.indexOfLead.get(lead.id);
    if (first !== undefined) return `is the same lead as ${root}.${first}.leadId`;
    this.indexOfLead.set(lead.id, index);
    return lead.chat === null ? 'this lead has no chat number yet' : undefined;
  }

  private render(lead: BulkLead, { values, variables }: Recipient, index: number): void {
    const path = `${root}.${index}.variables`;
    if ('channelTemplate' in this.template) {
      this.fill(this.template.channelTemplate, { leadId: lead.id, index }, variables, path);
      return;
    }
    const rendering = this.template.template.render(lead, values);
    if ('text' in rendering) this.texts.push({ leadId: lead.id, body: rendering.text, index });
    else if ('problem' in rendering) this.problems.add(path, rendering.problem);
    else for (const name of rendering.missing) this.problems.add(`${path}.${name}`, missingVariable);
  }

  private fill(
    template: PreparedChannelTemplate,
    place: Pick<BulkText, 'leadId' | 'index'>,
    variables: unknown,
    path: string,
  ): void {
    const filled = template.fill(variables);
    if ('errors' in filled)
      for (const error of filled.errors)
        this.problems.add(error.path === '' ? path : `${path}.${error.path}`, error.message);
    else {
      const { body, channelTemplate } = toMessage(template, filled);
      this.texts.push({ ...place, body, channelTemplate: JSON.stringify(channelTemplate) });
    }
  }
}

const unknownLead = 'there is no such lead';
const missingVariable = 'is required: neither the call nor the lead has it, and the template no default';

function readRecipient(
  recipient: unknown,
  index: number,
  problems: FieldProblems,
  isChannelTemplate: boolean,
): Recipient | undefined {
  const path = `${root}.${index}`;
  try {
    if (isChannelTemplate) {
      const { leadId, variables } = parseInput(channelRecipientSchema, recipient, path);
      return { leadId, values: new Map(), variables };
    }
    const { leadId, variables } = parseInput(recipientSchema, recipient, path);
    return { leadId, values: parseTemplateVariables(variables), variables: undefined };
  } catch (error) {
    if (!(error instanceof AppError) || error.errors === undefined) throw error;
    for (const found of error.errors)
      problems.add(found.path.startsWith(path) ? found.path : `${path}.${found.path}`, found.message);
    return undefined;
  }
}

async function forEachInSlices<Item>(items: readonly Item[], visit: (item: Item, index: number) => void) {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % recipientsPerTurn === 0) await nextTurn();
    visit(item, index);
  }
}

class FieldProblems {
  private readonly listed: FieldError[] = [];
  private unlisted = 0;

  add(path: string, message: string): void {
    if (this.listed.length < maxFieldErrors) this.listed.push({ path, message });
    else this.unlisted += 1;
  }

  /** @throws AppError VALIDATION_FAILED with the first 100 problems, and the number of further ones */
  throwIfAny(): void {
    if (this.listed.length > 0) throw validationFailed(this.listed, this.unlisted);
  }
}
