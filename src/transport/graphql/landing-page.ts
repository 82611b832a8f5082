// The page that a browser gets at `/graphql` in development: how to connect, every operation, and an explorer with its script. It takes
// nothing from elsewhere, so that it works offline.

import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import {
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';

type Operation = 'query' | 'mutation' | 'subscription';
type Field = GraphQLField<unknown, unknown>;

/** Express middleware: answers a browser's GET that prefers HTML, and passes everything else on. */
export function landingPage(schema: GraphQLSchema): RequestHandler {
  let operations: string | undefined;
  return (req, res, next) => {
    const preferred = req.accepts(['application/json', 'application/graphql-response+json', 'text/html']);
    if (req.method !== 'GET' || preferred !== 'text/html') return next();
    operations ??= renderOperations(schema);
    const nonce = randomBytes(16).toString('base64');
    res.set({
      'content-security-policy':
        `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; ` +
        `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    });
    res.type('html').send(renderPage(nonce, req.get('host') ?? 'localhost', operations));
  };
}

function renderOperations(schema: GraphQLSchema): string {
  const roots: [Operation, GraphQLObjectType | null | undefined][] = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ];
  return roots.map(([operation, type]) => (type == null ? '' : renderRoot(operation, type))).join('\n');
}

function renderRoot(operation: Operation, type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields()).sort((a, b) => a.name.localeCompare(b.name));
  const rows = fields.map((field) => {
    const example = escapeHtml(exampleOf(operation, field));
    const signature = escapeHtml(`${signatureOf(field)}: ${String(field.type)}`);
    const button = `<button type="button" class="example" data-example="${example}">${escapeHtml(field.name)}</button>`;
    return `<li>${button} <code>${signature}</code><br>${escapeHtml(field.description ?? '')}</li>`;
  });
  return `<details><summary>${type.name} (${fields.length})</summary><ul>${rows.join('\n')}</ul></details>`;
}

function signatureOf({ args }: Field): string {
  return args.length === 0
    ? ''
    : `(${args.map((argument) => `${argument.name}: ${String(argument.type)}`).join(', ')})`;
}

/** Writes an example of an operation: the required arguments as variables, and the plain fields of the result. */
export function exampleOf(operation: Operation, field: Field): string {
  const required = field.args.filter(isRequiredArgument);
  const list = (text: (argument: GraphQLArgument) => string) =>
    required.length === 0 ? '' : `(${required.map(text).join(', ')})`;
  const variables = list(({ name, type }) => `$${name}: ${String(type)}`);
  const given = list(({ name }) => `${name}: $${name}`);
  return `${operation}${variables === '' ? '' : ` ${variables}`} {\n  ${field.name}${given}${selectionOf(field.type, '  ')}\n}`;
}

// Fields for ADMINs, which their description names, are left out: an example has to work for everybody.
function selectionOf(output: GraphQLOutputType, indent: string): string {
  const type = getNamedType(output);
  if (!isObjectType(type)) return '';
  const { edges, ...fields } = type.getFields();
  if (edges !== undefined)
    return ` {\n${indent}  edges {\n${indent}    node${nodeOf(edges.type, `${indent}    `)}\n${indent}  }\n${indent}}`;
  const plain = Object.values(fields).filter(
    (field) =>
      isLeafType(getNamedType(field.type)) &&
      !field.args.some(isRequiredArgument) &&
      field.description?.startsWith('ADMIN') !== true,
  );
  const names = plain.length === 0 ? ['__typename'] : plain.map(({ name }) => name);
  return ` {\n${names.map((name) => `${indent}  ${name}`).join('\n')}\n${indent}}`;
}

function nodeOf(edges: GraphQLOutputType, indent: string): string {
  const list = isNonNullType(edges) ? edges.ofType : edges;
  const edge = isListType(list) ? getNamedType(list.ofType) : undefined;
  const node = isObjectType(edge) ? edge.getFields()['node'] : undefined;
  return node === undefined ? '' : selectionOf(node.type, indent);
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

const style = `body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; }
  textarea, pre, input { font: 13px/1.5 ui-monospace, monospace; width: 100%; box-sizing: border-box; padding: .5rem; }
  pre { background: #f4f4f2; overflow: auto; min-height: 3rem; } input { width: auto; min-width: 16rem; }
  button { font: inherit; cursor: pointer; } .example { border: 0; padding: 0; background: none; color: #0b57d0; font-weight: 600; }
  li { margin: .4rem 0; } summary { cursor: pointer; font-weight: 600; } code { font-size: 13px; }`;

function renderPage(nonce: string, givenHost: string, operations: string): string {
  const host = escapeHtml(givenHost);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Leadwire GraphQL</title><style nonce="${nonce}">${style}</style></head><body>
<h1>Leadwire GraphQL</h1>
<p>Queries and mutations: <code>POST http://${host}/graphql</code> with <code>content-type: application/json</code> and
<code>authorization: Bearer &lt;token&gt;</code>. Subscriptions: <code>ws://${host}/graphql</code>, protocol <code>graphql-transport-ws</code>,
<code>connectionParams: {authorization: "Bearer &lt;token&gt;"}</code>. Any GraphQL client works as it is.</p>
<h2>Explorer</h2>
<p><label>Sign in as <input id="subject" value="demo-operator" autocomplete="off"></label>
<button type="button" id="sign-in">Get a token</button> or <label>token <input id="token" autocomplete="off"></label></p>
<p><label>Operation <textarea id="operation" rows="12" spellcheck="false">{
  me {
    id
    role
    email
  }
}</textarea></label></p>
<p><label>Variables <textarea id="variables" rows="4" spellcheck="false">{}</textarea></label></p>
<p><button type="button" id="run">Run</button> (Ctrl-Enter)</p>
<pre id="answer" aria-live="polite"></pre>
<h2>Operations</h2>
<p>A name puts an example into the explorer.</p>
${operations}
<script nonce="${nonce}">${explorerScript}</script>
</body></html>
`;
}

/** Runs operations over HTTP, and subscriptions over a socket until the next run. */
const explorerScript = `
const element = (id) => document.getElementById(id);
const show = (value) => { element('answer').textContent = typeof value === 'string' ? value : JSON.stringify(value, null, 2); };
const post = async (path, body, headers) => {
  const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
  return response.json();
};
const authorization = () => (element('token').value === '' ? {} : { authorization: 'Bearer ' + element('token').value });
let socket;

async function signIn() {
  const answer = await post('/auth/dev/token', { idpSub: element('subject').value });
  element('token').value = answer.accessToken ?? '';
  show(answer.accessToken === undefined ? answer : 'Signed in as ' + answer.user.email + ' (' + answer.user.role + ').');
}

function subscribe(payload) {
  const received = [];
  const opened = new WebSocket(location.href.replace(/^http/, 'ws'), 'graphql-transport-ws');
  socket = opened;
  show('Waiting for events. Run starts again.');
  opened.onopen = () => opened.send(JSON.stringify({ type: 'connection_init', payload: authorization() }));
  opened.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === 'connection_ack') opened.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
    if (message.type === 'ping') opened.send(JSON.stringify({ type: 'pong' }));
    if (message.type !== 'next' && message.type !== 'error') return;
    received.unshift(message.payload);
    show(received.slice(0, 50));
  };
  opened.onclose = ({ code, reason }) => { if (socket === opened) show('The socket was closed: ' + code + ' ' + reason); };
}

async function run() {
  socket?.close();
  socket = undefined;
  try {
    const text = element('variables').value.trim();
    const payload = { query: element('operation').value, variables: text === '' ? {} : JSON.parse(text) };
    if (/^\\s*subscription\\b/.test(payload.query)) subscribe(payload);
    else show(await post('/graphql', payload, authorization()));
  } catch (error) {
    show(String(error));
  }
}

function useExample(button) {
  element('operation').value = button.dataset.example;
  const names = [...button.dataset.example.split('{')[0].matchAll(/[$](\\w+):/g)].map((match) => match[1]);
  element('variables').value = JSON.stringify(Object.fromEntries(names.map((name) => [name, ''])), null, 2);
  element('operation').focus();
}

element('run').addEventListener('click', run);
element('sign-in').addEventListener('click', () => signIn().catch((error) => show(String(error))));
document.addEventListener('keydown', (event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(); });
for (const button of document.querySelectorAll('.example')) button.addEventListener('click', () => useExample(button));
`;
