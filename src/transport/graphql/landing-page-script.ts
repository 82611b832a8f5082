// The script of the landing page, as the browser runs it: no library, and nothing but this server is asked.

/** Runs operations over HTTP, and subscriptions over a socket until the next run. */
export const explorerScript = `
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
  show('Waiting for events; Run starts anew.');
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
