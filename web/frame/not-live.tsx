import {useEffect, useState, useSyncExternalStore} from 'react';
import {isLive, onLive} from '../api/changes.ts';
import {texts} from '../texts/texts.ts';

/** Time (ms) until a closed stream is reported. Page loads and tab takeovers cause shorter gaps. */
const longest = 5_000;

export function NotLive() {
  const live = useSyncExternalStore(onLive, isLive);
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
