import {useEffect, useState, useSyncExternalStore} from 'react';
import {isLive, onLive} from '../api/changes.ts';
import {texts} from '../texts/texts.ts';
import styles from './frame.module.css';

/**
 * Time (ms) that the change stream must be closed before the page says so. Shorter gaps are normal when a
 * page opens, or when another tab takes over the stream.
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
