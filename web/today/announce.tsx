import {useEffect, useRef, useState} from 'react';
import {Hidden} from '../parts/hidden.tsx';
import {texts} from '../texts/texts.ts';

const pause = 10_000;

/** Announces to screen readers which members have posted, at most every ten seconds. */
export function Announce({names}: {readonly names: readonly string[]}) {
  const [said, say] = useState('');
  const announcedCount = useRef(names.length);
  const quietUntil = useRef(0);
  useEffect(() => {
    if (names.length < announcedCount.current) {
      announcedCount.current = names.length;
      // A standup was deleted: announce nothing.
      say('');
    }
    if (names.length === announcedCount.current) return undefined;
    const timer = setTimeout(
      () => {
        const more = names.length - announcedCount.current;
        announcedCount.current = names.length;
        quietUntil.current = Date.now() + pause;
        const [newest] = names;
        say(
          more === 1 && newest !== undefined
            ? texts.today.board.isIn({name: newest})
            : texts.today.board.moreIn({amount: more}),
        );
      },
      Math.max(0, quietUntil.current - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [names]);
  return (
    <Hidden>
      <span aria-live="polite">{said}</span>
    </Hidden>
  );
}
