import {useEffect, useEffectEvent, useState, useSyncExternalStore} from 'react';
import {isLive, onChanges, onLive} from '../api/changes.ts';
import type {Schema} from '../api/schema.ts';
import {mayUse} from '../parts/rights.ts';
import {texts} from '../texts/texts.ts';

/** Time (ms) until a closed stream is reported. Page loads and tab takeovers cause shorter gaps. */
const longest = 5_000;
/** Time (ms) after which a new tab looks for a reminder that waits. */
const firstLook = 10_000;

interface LiveProps {
  readonly me: Schema<'Me'>;
  readonly onWrite: (team: string) => void;
}

/** Shows what happens while a tab is open: reminders, and the loss of the change stream. */
export function Live({me, onWrite}: LiveProps) {
  const live = useSyncExternalStore(onLive, isLive);
  const {type, id} = me.principal;
  const write = useEffectEvent(onWrite);
  const hasReminders = type === 'member' && mayUse(me, 'members:read');
  useEffect(() => (hasReminders ? startReminders(id, (team) => write(team)) : undefined), [hasReminders, id]);
  return (
    <div role="status" className="fixed end-4 bottom-4 z-15">
      {!live && <NotLiveNotice />}
    </div>
  );
}

/**
 * Loads the reminders after the page itself: at the first one, or a while later to see what waits. Presses of
 * notifications are heard from the start, since another tab may have shown them.
 */
function startReminders(person: string, onWrite: (team: string) => void): () => void {
  const stopping = new AbortController();
  const {signal} = stopping;
  const start = async (isNew: boolean): Promise<void> => {
    end();
    const {followReminders} = await import('../parts/reminders/follow.ts');
    if (!signal.aborted) followReminders(person, onWrite, {signal, isNew});
  };
  const timer = setTimeout(() => void start(false), firstLook);
  const forget = onChanges({
    onChanges: (changes) => {
      if (changes.some((change) => change.for_me)) void start(true);
    },
    onMissed: () => undefined,
  });
  const end = (): void => {
    clearTimeout(timer);
    forget();
  };
  // Pages from another machine over plain HTTP have no service workers.
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  workers?.addEventListener(
    'message',
    ({data}: MessageEvent<{readonly team: string}>) => onWrite(data.team),
    {signal},
  );
  return () => {
    end();
    stopping.abort();
  };
}

function NotLiveNotice() {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longest);
    return () => clearTimeout(timer);
  }, []);
  return (
    isLong && (
      <p className="rounded-lg border border-line bg-card px-3 py-2 text-late shadow-pop">
        {texts.frame.notLive}
      </p>
    )
  );
}
