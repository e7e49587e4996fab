import type { Card } from '@app/contracts/board-events';
import { ActionIcon, Tooltip } from '@mantine/core';
import { FOLLOWED_MAX } from '@app/client/board/board-connection';
import { useEffect, useSyncExternalStore, useRef, type RefObject } from 'react';
import { customerName } from '../../shared/leads/lead-names.format';
import { leadWords } from '../../shared/leads/lead.words';
import { IconBell, IconBellOff } from '../../shared/ui/icons.view';
import { api } from '../../shared/api/page-api';
import { useLive } from '../../shared/live/live-context';
import { tellDone } from '../../shared/notices/notice.store';
import { useSignedIn } from '../../shared/session/session.store';
import { showNumberInTab } from '../../shared/ui/page-title.hook';
import { alertWords } from './alerts.words';
import { AskedDialogs, type AlertChange } from './asked-dialogs';

/** After hours without connection many may have come together. */
const SHOWN_AT_ONCE = 5;

/** Asks the person, which browsers allow at a click only. @returns whether they are shown */
async function askForNotifications(): Promise<boolean> {
  if (typeof Notification === 'undefined') return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** What the system shows outside of the page, by dialog. */
class DesktopNotifications {
  private readonly shown = new Map<string, Notification>();

  constructor(private readonly onOpen: (threadId: string) => void) {}

  show(cards: readonly Card[]): void {
    if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
    for (const card of cards.slice(0, SHOWN_AT_ONCE)) this.showOne(card);
  }

  close(threadId: string): void {
    this.shown.get(threadId)?.close();
    this.shown.delete(threadId);
  }

  closeAll(): void {
    for (const id of [...this.shown.keys()]) this.close(id);
  }

  private showOne(card: Card): void {
    const { thread_id: id, attention, waiting_reason: reason } = card;
    const key = attention ? `attention_${attention.reason}` : `waits_${reason}`;
    const body = leadWords.has(key) ? leadWords.say(key) : (attention?.reason ?? reason ?? undefined);
    try {
      const notification = new Notification(customerName(card), { body, tag: id });
      notification.onclick = () => {
        window.focus();
        this.close(id);
        this.onOpen(id);
      };
      this.shown.set(id, notification);
    } catch {
      // Browsers of phones show none for a page: the sound remains.
    }
  }
}

let context: AudioContext | null = null;

const TONES = [660, 880] as const;
const TONE_SECONDS = 0.16;
const VOLUME = 0.15;

/** Two short tones. A browser lets a page sound only once somebody has clicked or typed in it. */
function soundAlert(): void {
  if (typeof AudioContext === 'undefined' || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  void context.resume().catch(() => undefined);
  TONES.forEach((frequency, index) => sound(context as AudioContext, frequency, index * TONE_SECONDS));
}

function sound(audio: AudioContext, frequency: number, after: number): void {
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  const at = audio.currentTime + after;
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(VOLUME, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + TONE_SECONDS);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + TONE_SECONDS);
}

/**
 * Whether this tab tells: of all tabs of a person in a browser one does. Browsers have locks where the page came by https or
 * from this machine; elsewhere each tab tells.
 */
function useIsLeadingTab(userId: string): RefObject<boolean> {
  const isLeading = useRef(false);
  useEffect(() => {
    if (!navigator.locks) {
      isLeading.current = true;
      return;
    }
    const left = new AbortController();
    let giveBack = (): void => undefined;
    const held = (): Promise<void> => {
      isLeading.current = true;
      return new Promise((resolve) => (giveBack = resolve));
    };
    navigator.locks
      .request(`leadline.alerts.${userId}`, { signal: left.signal }, held)
      // The page was left before its turn came.
      .catch(() => undefined);
    return () => {
      isLeading.current = false;
      left.abort();
      giveBack();
    };
  }, [userId]);
  return isLeading;
}

const listeners = new Set<() => void>();
const keyOf = (userId: string): string => `leadline.alerts.${userId}`;

/** Whether a person is told in this browser, whose permission it takes. */
const areAlertsOn = (userId: string): boolean => localStorage.getItem(keyOf(userId)) === 'on';

function switchAlerts(userId: string, isOn: boolean): void {
  if (isOn) localStorage.setItem(keyOf(userId), 'on');
  else localStorage.removeItem(keyOf(userId));
  for (const listener of listeners) listener();
}

/** {@link areAlertsOn}, in a component. */
const useAlertsOn = (userId: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      // Switched in another tab.
      addEventListener('storage', listener);
      return () => {
        listeners.delete(listener);
        removeEventListener('storage', listener);
      };
    },
    () => areAlertsOn(userId),
  );

const AGAIN_AFTER_MS = 10_000;
/** So many get-threads takes at once. */
const CARDS_MAX = 200;

interface Props {
  /** A notification was clicked. The same function until it goes. */
  onOpen: (threadId: string) => void;
}

/** The number of dialogs that need a person in the tab's title and icon, and the button that has newer ones told aloud. */
export function Alerts({ onOpen }: Props) {
  const t = alertWords.use();
  const { id: userId } = useSignedIn().user;
  const isOn = useAlertsOn(userId);
  useAlerts(userId, onOpen);

  const onClick = async (): Promise<void> => {
    if (isOn) return switchAlerts(userId, false);
    switchAlerts(userId, true);
    soundAlert();
    if (!(await askForNotifications())) tellDone(t('soundOnly'));
  };
  const Icon = isOn ? IconBell : IconBellOff;
  return (
    <Tooltip label={t('alerts')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('alerts')}
        aria-pressed={isOn}
        onClick={() => void onClick()}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function useAlerts(userId: string, onOpen: Props['onOpen']): void {
  const { connection, store } = useLive();
  const { assistants } = useSignedIn();
  const isLeading = useIsLeadingTab(userId);
  const agents = assistants.map(({ id }) => id).join();
  // Of more agents than a connection follows, the list alone tells.
  const hasUnheard = assistants.length > FOLLOWED_MAX;

  useEffect(() => connection.follow(agents === '' ? [] : agents.split(',')), [connection, agents]);

  useEffect(() => {
    const asked = new AskedDialogs();
    const desktop = new DesktopNotifications(onOpen);
    let isLeft = false;
    let reading = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = ({ begun, ended }: AlertChange): void => {
      showNumberInTab(asked.number);
      for (const id of ended) desktop.close(id);
      if (begun.length === 0 || !isLeading.current || !areAlertsOn(userId)) return;
      soundAlert();
      desktop.show(begun);
    };
    const hear = (change: AlertChange): void => {
      tell(change);
      if (asked.isUnsure && timer === undefined) readSoon(AGAIN_AFTER_MS);
    };
    const read = async (): Promise<void> => {
      timer = undefined;
      const turn = (reading += 1);
      asked.expectList();
      const body = { needs_person: true, sort: 'activity', limit: CARDS_MAX } as const;
      const {
        threads,
        totals = [],
        has_more,
      } = await api.post('/api/v1/messages/get-threads', {
        body: { ...body, counts: true },
      });
      const listed = new Set(threads.map(({ thread_id: id }) => id));
      // Of those that are not in the list, the ones that somebody has open.
      const open = has_more ? [...store.present().keys()].filter((id) => !listed.has(id)) : [];
      const others =
        open.length === 0
          ? []
          : await api
              .post('/api/v1/messages/get-threads', { body: { ...body, thread_ids: open } })
              // One of them is of an agent that this person sees no more.
              .then(
                ({ threads: found }) => found,
                () => [],
              );
      const total = totals.reduce((sum, { total: each }) => sum + each, 0);
      if (!isLeft && turn === reading) hear(asked.takeList([...threads, ...others], total));
      if (!isLeft && hasUnheard) readSoon(AGAIN_AFTER_MS);
    };
    const readSoon = (afterMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void read().catch(() => isLeft || readSoon(AGAIN_AFTER_MS)), afterMs);
    };
    // Without a connection nothing comes in between: the next one reads the list again.
    const onState = (): void => void (connection.state() === 'online' && readSoon(0));
    const stops = [
      connection.onEvent(({ card }) => hear(asked.take(card))),
      store.subscribePresent(() => hear(asked.takePresent(store.present()))),
      connection.onGap(() => readSoon(0)),
      connection.subscribeState(onState),
    ];
    onState();
    return () => {
      isLeft = true;
      clearTimeout(timer);
      for (const stop of stops) stop();
      desktop.closeAll();
      showNumberInTab(0);
    };
  }, [connection, store, isLeading, userId, hasUnheard, onOpen]);
}
