// Notifications of this browser. Each person turns them on in each browser; only then is permission asked.
import {readItem, removeItem, storeItem} from '../../api/storage.ts';
import {describeReminder} from './describe-reminder.ts';
import {type OwnReminder, readShown, storeShown} from './own-reminder.ts';

/** `blocked`: the browser refuses, so only its own settings help. */
export type NotificationState = 'on' | 'off' | 'blocked' | 'unsupported';

const choiceKey = (person: string): string => `standup:notify:${person}`;
const workerPath = '/app/worker.js';

export function readNotificationState(person: string): NotificationState {
  if (!('Notification' in globalThis) || !('serviceWorker' in navigator)) return 'unsupported';
  const {permission} = Notification;
  if (permission === 'denied') return 'blocked';
  return permission === 'granted' && readItem(choiceKey(person)) !== null ? 'on' : 'off';
}

/** Asks for permission. Browsers ask only after the person has pressed a button. */
export async function turnNotificationsOn(person: string): Promise<NotificationState> {
  if ((await Notification.requestPermission()) === 'granted') {
    await registerWorker();
    storeItem(choiceKey(person), 'on');
  }
  return readNotificationState(person);
}

export function turnNotificationsOff(person: string): NotificationState {
  removeItem(choiceKey(person));
  return readNotificationState(person);
}

/**
 * Shows the reminder of `at` (ms), unless another tab has shown it. Returns false if this browser shows no
 * notifications. The tag makes a repetition of the day replace the notification.
 */
export async function notify(person: string, at: number, reminder: OwnReminder): Promise<boolean> {
  if (readNotificationState(person) !== 'on') return false;
  return navigator.locks.request('standup-notify', async () => {
    if (at <= readShown(person)) return true;
    const worker = await registerWorker();
    // Safari and Android have no other way: there the constructor of `Notification` throws.
    const options = {
      tag: `standup ${reminder.date}`,
      renotify: true,
      data: {team: reminder.teams[0]?.team},
    };
    await worker.showNotification(describeReminder(reminder), options);
    storeShown(person, at);
    return true;
  });
}

let registering: Promise<ServiceWorkerRegistration> | undefined;

/** Registers the service worker, and waits until it is active. */
function registerWorker(): Promise<ServiceWorkerRegistration> {
  registering ??= startWorker().catch((error: unknown) => {
    registering = undefined;
    throw error;
  });
  return registering;
}

async function startWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(createWorkerUrl());
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  if (worker === null || worker.state === 'activated') return registration;
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') reject(new Error('The service worker was not started.'));
    });
  });
  return registration;
}

/** The one address of a script that the page's Content-Security-Policy admits. */
function createWorkerUrl(): string {
  const types = (globalThis as {trustedTypes?: TrustedTypes}).trustedTypes;
  if (types === undefined) return workerPath;
  policy ??= types.createPolicy('standup-worker', {
    createScriptURL(address) {
      if (address === workerPath) return address;
      throw new TypeError('Only the service worker of notifications is a script of this page.');
    },
  });
  return policy.createScriptURL(workerPath);
}

/** Browsers allow one policy of a name on a page. */
let policy: WorkerPolicy | undefined;

interface WorkerPolicy {
  /** Returns an object that browsers take for a string here. */
  createScriptURL(address: string): string;
}

/** https://w3c.github.io/trusted-types/dist/spec/ */
interface TrustedTypes {
  createPolicy(name: string, rules: WorkerPolicy): WorkerPolicy;
}
