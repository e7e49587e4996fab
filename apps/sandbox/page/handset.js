'use strict';

/** A customer's phone. Messages are put on the page as text, never as markup. */
const $ = (id) => document.getElementById(id);

const TYPING_MS = 25_000;
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const CHANNEL_NAMES = { waba_coexistence: 'Cloud API', waba: 'Gupshup' };

const state = {
  numbers: [],
  sender: null,
  /** Lines of the list, by phone. */
  chats: new Map(),
  phone: null,
  /** The name of the open chat's customer, as entered here or known to the sandbox. */
  name: '',
  windowUntil: 0,
  messages: new Map(),
  stream: null,
  typingTimer: null,
};

function make(tag, className, words) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (words !== undefined && words !== null) element.textContent = words;
  return element;
}

async function ask(path, body) {
  const options = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

const here = (extra) => new URLSearchParams({ sender: state.sender, ...extra }).toString();
const currentNumber = () => state.numbers.find(({ sender }) => sender === state.sender);
const prettyPhone = (phone) =>
  /^\+7\d{10}$/.test(phone) ? phone.replace(/^\+7(\d{3})(\d{3})(\d\d)(\d\d)$/, '+7 $1 $2 $3 $4') : phone;

function dressAvatar(avatar, name, phone) {
  const words = (name ?? '').trim().split(/\s+/).filter(Boolean);
  avatar.textContent =
    words.length > 0
      ? words
          .slice(0, 2)
          .map((word) => [...word][0].toUpperCase())
          .join('')
      : phone.slice(-2);
  avatar.className = `avatar hue-${[...phone].reduce((sum, digit) => sum + digit.charCodeAt(0), 0) % 6}`;
  return avatar;
}

function drawNumber() {
  $('number-phone').textContent = prettyPhone(currentNumber()?.display_phone ?? '');
}

// The list of customers

let listDrawn = true;
/** A line is pressed. Drawn anew in between, it would lose its click. */
let listPressed = false;

function drawListSoon() {
  if (!listDrawn || listPressed) return;
  listDrawn = false;
  requestAnimationFrame(() => {
    listDrawn = true;
    if (!listPressed) drawList();
  });
}

function drawList() {
  const search = $('search').value.trim().toLowerCase();
  const digits = search.replace(/[\s()-]/g, '');
  const fits = ({ phone, name }) =>
    phone.includes(digits || search) || (name ?? '').toLowerCase().includes(search);
  const lines = [...state.chats.values()].filter(fits).sort((a, b) => b.last_at - a.last_at);
  const focused = document.activeElement?.dataset?.phone;
  const items = lines.map(chatItem);
  $('chats').replaceChildren(...items);
  if (focused)
    items
      .map((item) => item.firstChild)
      .find(({ dataset }) => dataset.phone === focused)
      ?.focus();
  $('no-chats').hidden = state.chats.size > 0;
  $('count').textContent = state.chats.size === 0 ? '' : `${lines.length} of ${state.chats.size} customers`;
}

function chatItem(line) {
  const item = make('li');
  const button = make('button', 'chat');
  button.type = 'button';
  button.dataset.phone = line.phone;
  if (line.phone === state.phone) button.setAttribute('aria-current', 'true');
  const last = make('span', 'last', (line.last_from === 'customer' ? 'You: ' : '') + line.last_text);
  const badge = make('span', line.unread > 0 ? 'badge' : '', line.unread > 0 ? line.unread : '');
  if (line.unread > 0) badge.setAttribute('aria-label', `${line.unread} unread`);
  button.append(
    dressAvatar(make('span'), line.name, line.phone),
    make('span', 'title', line.name ?? prettyPhone(line.phone)),
    make('time', '', TIME.format(line.last_at)),
    last,
    badge,
  );
  button.querySelector('.avatar').setAttribute('aria-hidden', 'true');
  item.append(button);
  return item;
}

async function loadList() {
  const { chats } = await ask(`/handset/api/chats?${here()}`);
  state.chats = new Map(chats.map((line) => [line.phone, line]));
  drawListSoon();
}

// The chat

function stateWords({ from, state: reached, error_code: code }) {
  if (reached === 'failed') return { sign: '✕', label: code ? `Not delivered · ${code}` : 'Not delivered' };
  const labels = {
    accepted: { sign: '…', label: 'On its way' },
    sent: { sign: '✓', label: 'Sent' },
    delivered: { sign: '✓✓', label: 'Delivered' },
    read: { sign: '✓✓', label: from === 'customer' ? 'Read by the business' : 'Read' },
  };
  return labels[reached];
}

const sizeOf = (bytes) =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** A picture, a player, or a link to a document. */
function fileOf({ file, media }) {
  const address = `/handset/api/files/${file.id}`;
  const type = file.mime_type.split(';')[0];
  if (type.startsWith('image/')) {
    const picture = make('img', media === 'sticker' ? 'sticker' : 'picture');
    return Object.assign(picture, { src: address, alt: file.name ?? media });
  }
  if (type.startsWith('video/') || type.startsWith('audio/')) {
    const player = make(type.startsWith('video/') ? 'video' : 'audio', 'player');
    return Object.assign(player, { src: address, controls: true, preload: 'metadata' });
  }
  const link = make('a', 'document', `${file.name ?? 'File'} · ${sizeOf(file.size)}`);
  return Object.assign(link, { href: address, download: file.name ?? '' });
}

function bubbleOf(message) {
  const bubble = make('div', 'bubble');
  const quoted = message.reply_to && state.messages.get(message.reply_to);
  if (quoted) bubble.append(make('p', 'quote', quoted.text || `[${quoted.type}]`));
  if (message.media === 'voice') bubble.append(make('div', 'media', 'Voice message'));
  if (message.file) bubble.append(fileOf(message));
  else if (message.media && message.media !== 'voice') bubble.append(make('div', 'media', message.media));
  if (message.header) bubble.append(make('p', 'header', message.header));
  if (message.type === 'reaction') bubble.append(make('p', 'words', `Reacted ${message.text}`));
  else if (message.text) bubble.append(make('p', 'words', message.text));
  if (message.footer) bubble.append(make('p', 'footer', message.footer));
  const { sign, label } = stateWords(message);
  const meta = make('p', 'meta');
  if (message.from === 'app') meta.append(make('span', '', 'From the phone app'));
  const reached = make('span', message.state === 'failed' ? 'bad' : message.state === 'read' ? 'read' : '');
  const mark = make('span', '', sign);
  mark.setAttribute('aria-hidden', 'true');
  reached.append(mark, message.from === 'customer' ? make('span', 'unseen', label) : ` ${label}`);
  meta.append(make('time', '', TIME.format(message.at)), reached);
  bubble.append(meta);
  return bubble;
}

const isWeb = (address) => /^https?:\/\//i.test(address ?? '');

function buttonOf(button, index, message) {
  if (button.type === 'url' && isWeb(button.value)) {
    const link = make('a', '', `${button.text} ↗`);
    Object.assign(link, { href: button.value, target: '_blank', rel: 'noopener noreferrer' });
    return link;
  }
  if (button.type !== 'quick_reply' && button.type !== 'share_contact')
    return make('span', '', button.value ? `${button.text} · ${button.value}` : button.text);
  const reply = make('button', '', button.text);
  reply.type = 'button';
  reply.addEventListener('click', () => send({ button: { message_id: message.id, index } }));
  return reply;
}

function messageItem(message) {
  const own = message.from === 'customer';
  const item = make('div', `message${own ? ' own' : ''}${message.state === 'failed' ? ' failed' : ''}`);
  item.dataset.id = message.id;
  item.append(make('span', 'unseen', own ? 'You:' : 'Business:'), bubbleOf(message));
  if (message.reaction) item.append(make('span', 'reaction', message.reaction));
  if (message.buttons.length > 0) {
    const buttons = make('div', 'buttons');
    buttons.append(...message.buttons.map((button, index) => buttonOf(button, index, message)));
    item.append(buttons);
  }
  return item;
}

function drawMessages() {
  const log = $('log');
  let day = '';
  const items = [];
  for (const message of state.messages.values()) {
    const itsDay = DAY.format(message.at);
    if (itsDay !== day) items.push(make('p', 'day', itsDay));
    day = itsDay;
    items.push(messageItem(message));
  }
  if (items.length === 0)
    items.push(make('p', 'hint', 'Nothing here yet. Type below to write to the business first.'));
  log.replaceChildren(...items);
  log.scrollTop = log.scrollHeight;
}

/** Leaves the buttons in place, for a pressed one that is replaced loses its click. */
function redraw(item, fresh) {
  const isButtons = (part) => part.matches('.buttons');
  item.className = fresh.className;
  for (const part of [...item.children]) if (!isButtons(part)) part.remove();
  item.prepend(...[...fresh.children].filter((part) => !isButtons(part)));
}

/** A message that is new, or has a new state. */
function takeMessage(message) {
  const log = $('log');
  const known = state.messages.has(message.id);
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
  state.messages.set(message.id, message);
  const item = known && [...log.children].find(({ dataset }) => dataset.id === message.id);
  if (item) redraw(item, messageItem(message));
  else {
    if (message.from !== 'customer') hideTyping();
    if (state.messages.size === 1) drawMessages();
    else log.append(messageItem(message));
  }
  if (atEnd || !known) log.scrollTop = log.scrollHeight;
}

function showTyping() {
  hideTyping();
  const item = make('div', 'message typing');
  const bubble = make('div', 'bubble');
  bubble.append(make('span', 'unseen', 'The business is typing'));
  bubble.append(make('span', 'dot'), make('span', 'dot'), make('span', 'dot'));
  item.append(bubble);
  $('log').append(item);
  $('log').scrollTop = $('log').scrollHeight;
  state.typingTimer = setTimeout(hideTyping, TYPING_MS);
}

function hideTyping() {
  clearTimeout(state.typingTimer);
  document.querySelector('.typing')?.remove();
}

const customerName = () => state.chats.get(state.phone)?.name ?? state.name;

function drawBar() {
  const name = customerName();
  const number = currentNumber();
  $('chat-title').textContent = number?.name ?? number?.display_phone ?? 'Business';
  $('chat-subtitle').textContent =
    `${prettyPhone(number?.display_phone ?? '')} · ${CHANNEL_NAMES[number?.channel] ?? ''}`;
  $('you').hidden = false;
  $('you').textContent = `You are ${name ? `${name}, ` : ''}${prettyPhone(state.phone)}`;
  dressAvatar($('chat-avatar'), number?.name, number?.display_phone ?? '');
  const open = state.windowUntil > Date.now();
  $('window').hidden = false;
  const tomorrow = DAY.format(state.windowUntil) !== DAY.format(Date.now());
  $('window').classList.toggle('shut', !open);
  $('window').textContent = open
    ? `The business may write freely until ${tomorrow ? 'tomorrow, ' : ''}${TIME.format(state.windowUntil)}`
    : 'Only templates reach you until you write';
}

async function loadChat() {
  const phone = state.phone;
  const chat = await ask(`/handset/api/chat?${here({ phone })}`);
  if (phone !== state.phone) return;
  state.windowUntil = chat.window_until;
  state.name = chat.name ?? state.name;
  state.messages = new Map(chat.messages.map((message) => [message.id, message]));
  drawBar();
  drawMessages();
}

function openChat(phone, name = '') {
  Object.assign(state, { phone, name, messages: new Map() });
  document.body.dataset.view = 'chat';
  $('composer').hidden = false;
  $('error').textContent = '';
  hideTyping();
  drawList();
  drawBar();
  listen();
  $('words').focus();
}

function closeChat() {
  const phone = state.phone;
  Object.assign(state, { phone: null, messages: new Map() });
  document.body.dataset.view = 'list';
  $('composer').hidden = true;
  $('you').hidden = true;
  $('window').hidden = true;
  $('chat-avatar').textContent = '';
  $('chat-title').textContent = 'No chat open';
  $('chat-subtitle').textContent = '';
  $('log').replaceChildren(make('p', 'hint', 'Choose a customer from the list.'));
  drawList();
  listen();
  document.querySelector(`[data-phone="${CSS.escape(phone ?? '')}"]`)?.focus();
}

async function send(content) {
  if (state.phone === null) return;
  const name = customerName();
  const whose = { sender: state.sender, phone: state.phone, ...(name ? { name } : {}) };
  try {
    await ask('/handset/api/messages', { ...whose, ...content });
    $('error').textContent = '';
    state.windowUntil = Date.now() + 24 * 60 * 60 * 1000;
    drawBar();
  } catch (error) {
    $('error').textContent = `Not sent: ${error.message}`;
  }
}

/** What the file is in a chat, by its type. */
function kindOf({ type }) {
  if (type === 'image/jpeg' || type === 'image/png') return 'image';
  if (type === 'image/webp') return 'sticker';
  if (type === 'video/mp4' || type === 'video/3gpp') return 'video';
  return type.startsWith('audio/') ? 'audio' : 'document';
}

async function sendFile(file) {
  if (state.phone === null) return;
  const kind = kindOf(file);
  const captionable = kind !== 'audio' && kind !== 'sticker';
  const caption = captionable ? $('words').value.trim() : '';
  const about = { phone: state.phone, kind, name: file.name, ...fault() };
  if (file.type) about.mime_type = file.type;
  if (caption) about.caption = caption;
  const response = await fetch(`/handset/api/files?${here(about)}`, { method: 'POST', body: file });
  const answer = await response.json();
  $('error').textContent = response.ok ? '' : `Not sent: ${answer.error}`;
  if (response.ok && caption) $('words').value = '';
}

const fault = () => ($('file-act').value ? { act: $('file-act').value } : {});

// What happens meanwhile

/** While the stream names a chat, the sandbox treats it as open on the phone. */
function listen() {
  state.stream?.close();
  const stream = new EventSource(`/handset/events?${here(state.phone ? { phone: state.phone } : {})}`);
  state.stream = stream;
  const on = (type, act) =>
    stream.addEventListener(type, ({ data }) => stream === state.stream && act(JSON.parse(data)));
  on('joined', () => Promise.all([loadList(), state.phone && loadChat()]).catch(() => undefined));
  on('chats', (lines) => {
    for (const line of lines) if (line.sender === state.sender) state.chats.set(line.phone, line);
    drawListSoon();
  });
  on('message', takeMessage);
  on('typing', showTyping);
}

// Hands

$('chats').addEventListener('click', ({ target }) => {
  const phone = target.closest('[data-phone]')?.dataset.phone;
  if (phone) openChat(phone);
});
// Of the other buttons no click follows, and where a menu opens not even a release.
$('chats').addEventListener('pointerdown', ({ button }) => (listPressed ||= button === 0));
for (const released of ['pointerup', 'pointercancel', 'blur'])
  addEventListener(released, () => {
    if (!listPressed) return;
    listPressed = false;
    drawListSoon();
  });
$('search').addEventListener('input', drawList);
$('back').addEventListener('click', closeChat);
$('number').addEventListener('change', ({ target }) => {
  state.sender = target.value;
  state.chats = new Map();
  drawNumber();
  closeChat();
});
$('new-customer').addEventListener('click', () => {
  const form = $('new-form');
  form.hidden = !form.hidden;
  $('new-customer').setAttribute('aria-expanded', String(!form.hidden));
  if (!form.hidden) $('new-phone').focus();
});
$('new-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const digits = $('new-phone').value.replace(/\D/g, '');
  const valid = /^[1-9]\d{6,14}$/.test(digits);
  $('new-error').textContent = valid ? '' : 'Give the phone with its country code, such as +7 701 000 00 01.';
  if (!valid) return;
  $('new-form').hidden = true;
  $('new-customer').setAttribute('aria-expanded', 'false');
  openChat(`+${digits}`, $('new-name').value.trim());
  event.target.reset();
});
$('composer').addEventListener('submit', (event) => {
  event.preventDefault();
  const words = $('words').value;
  if (words.trim() === '') return;
  $('words').value = '';
  void send({ text: words });
});
$('words').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  $('composer').requestSubmit();
});
$('composer').addEventListener('click', ({ target }) => {
  const last = [...state.messages.values()].findLast(({ from }) => from !== 'customer');
  const acts = {
    photo: { file: { kind: 'image', ...fault() } },
    voice: { file: { kind: 'voice', ...fault() } },
    location: { location: { latitude: 43.2389, longitude: 76.8897, name: 'Almaty' } },
    like: last && { reaction: { message_id: last.id, emoji: '👍' } },
    stop: { text: 'STOP' },
  };
  const content = acts[target.dataset.act];
  if (content) void send(content);
  if (target.dataset.act === 'file') $('file').click();
});
$('file').addEventListener('change', async ({ target }) => {
  const [file] = target.files;
  target.value = '';
  if (file) await sendFile(file).catch((error) => ($('error').textContent = `Not sent: ${error.message}`));
});

async function start() {
  const [{ numbers }, acts] = await Promise.all([ask('/handset/api/numbers'), ask('/handset/api/file-acts')]);
  $('file-act').append(...Object.entries(acts).map(([act, words]) => new Option(words, act)));
  state.numbers = numbers;
  const wanted = new URLSearchParams(location.search);
  const chosen = numbers.find(({ sender }) => sender === wanted.get('sender')) ?? numbers[0];
  if (!chosen) {
    $('hint').textContent = 'This sandbox has no business number.';
    return;
  }
  state.sender = chosen.sender;
  $('number').append(
    ...numbers.map(({ channel, sender, display_phone: phone, name }) => {
      const words = `${name ?? prettyPhone(phone)} · ${CHANNEL_NAMES[channel]}`;
      return new Option(words, sender, false, sender === state.sender);
    }),
  );
  drawNumber();
  const phone = wanted.get('phone');
  if (phone) openChat(`+${phone.replace(/\D/g, '')}`);
  else listen();
}

start().catch((error) => {
  $('hint').textContent =
    `The sandbox does not answer: ${error.message}. Reload the page when it runs again.`;
});
