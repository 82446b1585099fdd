import {useEffect, useState, useSyncExternalStore} from 'react';
import {isLive, onLive} from '../api/changes.ts';
import {texts} from '../texts/texts.ts';
import styles from './frame.module.css';

/**
 * Time without the change stream, in ms, after which the page shows a notice. Shorter gaps are normal at the
 * start, or while another tab takes over.
 */
const longest = 5_000;

export function NotLive() {
  const live = useSyncExternalStore(onLive, isLive);
  return (
    <div role="status" className={styles['notLive']}>
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
  return isLong && <p>{texts.frame.notLive}</p>;
}
