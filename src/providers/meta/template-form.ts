// The form of a template of Meta's: reads the variables it needs from its components, and turns their values into a text for the inbox and
// the components of a call. The functions are pure. channel-template.service.ts decides if a template may be sent.

import { exceedsLength, httpUrl, isPlainObject } from '../../platform/input/input.js';
import type { FieldError } from '../../platform/errors.js';

/** A text with placeholders: `{{1}}`, or `{{name}}` if the template names them. */
interface TextForm {
  text: string;
  /** Each placeholder once, in the order of the text. */
  names: readonly string[];
}

type MediaKind = 'image' | 'video' | 'document';
type HeaderForm = (TextForm & { kind: 'text' }) | { kind: MediaKind };

interface ButtonForm {
  kind: 'url' | 'copy_code' | 'quick_reply';
  isRequired: boolean;
}

/** The parts of a template that take values. */
export interface ChannelTemplateForm {
  header: HeaderForm | undefined;
  body: TextForm;
  /** The buttons that take a value, by their index. */
  buttons: ReadonlyMap<string, ButtonForm>;
  /** The first component that the service cannot fill; undefined if there is none. */
  unknownPart: string | undefined;
}

/** A template with its values. */
export interface FilledTemplate {
  /** The text of its body. */
  body: string;
  /** The components in the network's format. A component without variables is left out. */
  components: object[];
}

/** A filled template, or the errors of the variables with paths below them: `body.1`. */
export type Filling = FilledTemplate | { errors: FieldError[] };

const maxBodyLength = 1_024;
const maxHeaderLength = 60;
const maxCodeLength = 15;
const maxPayloadLength = 128;
const maxUrlPartLength = 2_000;
const maxFileNameLength = 255;

const placeholder = /\{\{\s*(\w{1,64})\s*\}\}/g;
const mediaKinds = new Map<string, MediaKind>([
  ['IMAGE', 'image'],
  ['VIDEO', 'video'],
  ['DOCUMENT', 'document'],
]);
const plainButtons: ReadonlySet<string> = new Set(['PHONE_NUMBER', 'VOICE_CALL']);

/** Reads any components and never throws. */
export function readForm(components: readonly unknown[]): ChannelTemplateForm {
  const form = new FormReader();
  for (const component of components) if (isPlainObject(component)) form.add(component);
  return form;
}

class FormReader implements ChannelTemplateForm {
  header: HeaderForm | undefined;
  body = textForm('');
  readonly buttons = new Map<string, ButtonForm>();
  unknownPart: string | undefined;

  add(component: Record<string, unknown>): void {
    const type = wordOf(component['type']);
    if (type === 'BODY') this.body = textForm(textOf(component['text']));
    else if (type === 'HEADER') {
      this.header = readHeader(component);
      if (this.header === undefined) this.unknownPart ??= `a header of the format ${wordOf(component['format'])}`;
    } else if (type === 'BUTTONS') this.addButtons(Array.isArray(component['buttons']) ? component['buttons'] : []);
    else if (type !== 'FOOTER') this.unknownPart ??= `a component of the type ${type}`;
  }

  private addButtons(list: readonly unknown[]): void {
    for (const [index, button] of list.entries()) {
      const fields = isPlainObject(button) ? button : {};
      const form = readButton(fields);
      if (form === 'unknown') this.unknownPart ??= `a button of the type ${wordOf(fields['type'])}`;
      else if (form !== 'plain') this.buttons.set(String(index), form);
    }
  }
}

function readHeader(component: Record<string, unknown>): HeaderForm | undefined {
  const format = wordOf(component['format'] ?? 'TEXT');
  if (format === 'TEXT') return { kind: 'text', ...textForm(textOf(component['text'])) };
  const kind = mediaKinds.get(format);
  return kind === undefined ? undefined : { kind };
}

function readButton(button: Record<string, unknown>): ButtonForm | 'plain' | 'unknown' {
  const type = wordOf(button['type']);
  if (plainButtons.has(type)) return 'plain';
  if (type === 'URL') {
    const isOpen = textForm(textOf(button['url'])).names.length > 0;
    return isOpen ? { kind: 'url', isRequired: true } : 'plain';
  }
  // The button that copies or fills in a one-time password takes it as a part of an address.
  if (type === 'OTP') return { kind: 'url', isRequired: true };
  if (type === 'COPY_CODE') return { kind: 'copy_code', isRequired: true };
  return type === 'QUICK_REPLY' ? { kind: 'quick_reply', isRequired: false } : 'unknown';
}

/** Returns the names of the required variables, as paths: `body.1`, `header.link`, `buttons.0`. */
export function variablesOf({ header, body, buttons }: ChannelTemplateForm): string[] {
  const ofHeader = header === undefined ? [] : header.kind === 'text' ? header.names : ['link'];
  const required = [...buttons].filter(([, { isRequired }]) => isRequired).map(([index]) => index);
  return [
    ...ofHeader.map((name) => `header.${name}`),
    ...body.names.map((name) => `body.${name}`),
    ...required.map((index) => `buttons.${index}`),
  ];
}

/** Puts values into a template. Every variable of the template needs a value, except that of a quick reply. Other values are errors. */
export function fillTemplate(form: ChannelTemplateForm, variables: unknown): Filling {
  const problems: FieldError[] = [];
  const parts = partsOf(variables, problems);
  const header = fillHeader(form.header, parts.get('header'), problems);
  const body = fillText('body', form.body, parts.get('body'), maxBodyLength, problems);
  const buttons = fillButtons(form.buttons, parts.get('buttons'), problems);
  if (problems.length > 0) return { errors: problems };
  const parameters = body.parameters.length === 0 ? [] : [{ type: 'body', parameters: body.parameters }];
  return { body: body.text, components: [...header, ...parameters, ...buttons] };
}

const partNames: ReadonlySet<string> = new Set(['header', 'body', 'buttons']);

function partsOf(variables: unknown, problems: FieldError[]): Map<string, unknown> {
  if (variables == null) return new Map();
  if (!isPlainObject(variables)) {
    problems.push({ path: '', message: 'has to be an object with header, body and buttons' });
    return new Map();
  }
  const entries = Object.entries(variables);
  for (const [name] of entries)
    if (!partNames.has(name)) problems.push({ path: name.slice(0, 100), message: 'is none of header, body, buttons' });
  return new Map(entries);
}

function fillHeader(form: HeaderForm | undefined, given: unknown, problems: FieldError[]): object[] {
  if (form === undefined) {
    valuesOf('header', [], given, problems);
    return [];
  }
  if (form.kind === 'text') {
    const { parameters } = fillText('header', form, given, maxHeaderLength, problems);
    return parameters.length === 0 ? [] : [{ type: 'header', parameters }];
  }
  const file = fileOf(form.kind, given, problems);
  return [{ type: 'header', parameters: [{ type: form.kind, [form.kind]: file }] }];
}

const link = httpUrl(2_048);

/** Returns the file of a header: its address, or its id at the network. */
function fileOf(kind: MediaKind, given: unknown, problems: FieldError[]): object {
  const value = isPlainObject(given) ? given : {};
  if (given != null && !isPlainObject(given)) problems.push({ path: 'header', message: 'has to be an object' });
  const names = kind === 'document' ? ['link', 'id', 'fileName'] : ['link', 'id'];
  refuseOthers('header', names, value, problems);
  const name = kind === 'document' ? fileNameOf(value['fileName'], problems) : {};
  return { ...(value['id'] == null ? linkOf(kind, value['link'], problems) : idOf(value, problems)), ...name };
}

function fileNameOf(value: unknown, problems: FieldError[]): object {
  return value == null ? {} : { filename: checkText('header.fileName', value, maxFileNameLength, problems) };
}

function idOf({ id, link: address }: Record<string, unknown>, problems: FieldError[]): object {
  const isId = typeof id === 'string' && /^\d{1,64}$/.test(id);
  if (!isId) problems.push({ path: 'header.id', message: "has to be the network's id of a file: digits, as text" });
  if (address != null) problems.push({ path: 'header.link', message: 'must not be given together with id' });
  return { id };
}

function linkOf(kind: MediaKind, value: unknown, problems: FieldError[]): object {
  const path = 'header.link';
  const read = link.safeParse(value);
  if (value == null) problems.push({ path, message: `is required: the template begins with a file (${kind})` });
  else if (!read.success) problems.push({ path, message: read.error.issues[0]?.message ?? 'is not valid' });
  return { link: value };
}

function fillButtons(forms: ReadonlyMap<string, ButtonForm>, given: unknown, problems: FieldError[]): object[] {
  const value = isPlainObject(given) ? given : {};
  if (given != null && !isPlainObject(given)) problems.push({ path: 'buttons', message: 'has to be an object' });
  refuseOthers('buttons', [...forms.keys()], value, problems);
  return [...forms].flatMap(([index, { kind, isRequired }]) => {
    const path = `buttons.${index}`;
    const written = withinButton(value[index]);
    if (written == null) {
      if (isRequired) problems.push({ path, message: missing });
      return [];
    }
    const text = checkText(path, written, maxLengthOf[kind], problems);
    return [{ type: 'button', sub_type: kind, index, parameters: [parameterOf[kind](text)] }];
  });
}

// `{"0": {"1": "…"}}` means the same as `{"0": "…"}`, because a button has one placeholder.
function withinButton(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const [only, ...others] = Object.values(value);
  return others.length === 0 ? only : value;
}

const maxLengthOf: Record<ButtonForm['kind'], number> = {
  url: maxUrlPartLength,
  copy_code: maxCodeLength,
  quick_reply: maxPayloadLength,
};
const parameterOf: Record<ButtonForm['kind'], (text: string) => object> = {
  url: (text) => ({ type: 'text', text }),
  copy_code: (text) => ({ type: 'coupon_code', coupon_code: text }),
  quick_reply: (text) => ({ type: 'payload', payload: text }),
};

function fillText(
  part: 'header' | 'body',
  form: TextForm,
  given: unknown,
  maxLength: number,
  problems: FieldError[],
): { text: string; parameters: object[] } {
  const values = valuesOf(part, form.names, given, problems);
  const parameters = [...values].map(([name, text]) => ({
    type: 'text',
    ...(isNumber(name) ? {} : { parameter_name: name }),
    text,
  }));
  const text = form.text.replaceAll(placeholder, (_, name: string) => values.get(name) ?? '');
  if (form.names.length > 0 && exceedsLength(text, maxLength))
    problems.push({ path: part, message: `makes a text of more than ${maxLength} characters` });
  return { text, parameters };
}

const missing = 'is required: the template has this variable';

function valuesOf(part: string, names: readonly string[], given: unknown, problems: FieldError[]): Map<string, string> {
  const value = isPlainObject(given) ? given : {};
  if (given != null && !isPlainObject(given)) problems.push({ path: part, message: 'has to be an object' });
  refuseOthers(part, names, value, problems);
  const values = new Map<string, string>();
  for (const name of names) {
    const path = `${part}.${name}`;
    const written = Object.hasOwn(value, name) ? value[name] : undefined;
    if (written == null) problems.push({ path, message: missing });
    else values.set(name, checkText(path, written, maxBodyLength, problems));
  }
  return values;
}

function refuseOthers(
  part: string,
  names: readonly string[],
  value: Record<string, unknown>,
  problems: FieldError[],
): void {
  for (const name of Object.keys(value))
    if (!names.includes(name))
      problems.push({ path: `${part}.${name.slice(0, 100)}`, message: 'is no variable of this template' });
}

/** Returns a value as text. The network takes text or a number in a template. */
function checkText(path: string, value: unknown, maxLength: number, problems: FieldError[]): string {
  const problem = textProblem(value, maxLength);
  if (problem !== undefined) problems.push({ path, message: problem });
  return typeof value === 'number' ? String(value) : textOf(value);
}

function textProblem(value: unknown, maxLength: number): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return undefined;
  if (typeof value !== 'string') return 'has to be text or a number';
  if (value.trim() === '') return 'must not be empty';
  if (exceedsLength(value, maxLength)) return `must not be longer than ${maxLength} characters`;
  if (value.includes('\u0000') || !value.isWellFormed()) return 'must not contain NUL characters or lone surrogates';
  return /[\n\r\t]| {5}/.test(value) ? 'must not contain line breaks, tabs, or more than 4 blanks in a row' : undefined;
}

// A translation may have {{2}} before {{1}}. Meta takes values without a name in the order of their numbers.
function textForm(text: string): TextForm {
  const names = [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))];
  return { text, names: names.every(isNumber) ? names.toSorted((one, other) => Number(one) - Number(other)) : names };
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function wordOf(value: unknown): string {
  return textOf(value).toUpperCase().slice(0, 64);
}
