import {useEffect, useEffectEvent, useState, useSyncExternalStore} from 'react';
import {isLive, onLive} from '../api/changes.ts';
import type {Schema} from '../api/schema.ts';
import {followReminders} from '../parts/reminders/follow.ts';
import {texts} from '../texts/texts.ts';

/** Time (ms) until a closed stream is reported. Page loads and tab takeovers cause shorter gaps. */
const longest = 5_000;

interface LiveProps {
  readonly me: Schema<'Me'>;
  readonly onWrite: (team: string) => void;
}

/** Shows what happens while a tab is open: reminders, and the loss of the change stream. */
export function Live({me, onWrite}: LiveProps) {
  const live = useSyncExternalStore(onLive, isLive);
  const {type, id} = me.principal;
  const write = useEffectEvent(onWrite);
  useEffect(() => (type === 'member' ? followReminders(id, (team) => write(team)) : undefined), [type, id]);
  return (
    <div role="status" className="fixed end-4 bottom-4 z-15">
      {!live && <NotLiveNotice />}
    </div>
  );
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
