import {useQuery} from '@tanstack/react-query';
import {Link, Outlet, useNavigate} from '@tanstack/react-router';
import {useEffect} from 'react';
import {followChanges} from '../api/changes.ts';
import {Problem} from '../api/problem.ts';
import {meQuery} from '../api/queries.ts';
import {words} from '../words/words.ts';
import styles from './frame.module.css';

/** What stands around every page of somebody who is signed in. */
export function Frame() {
  const {data: me, error} = useQuery(meQuery);
  const navigate = useNavigate();
  const isSignedOut = error instanceof Problem && error.status === 401;
  const isSignedIn = me !== undefined;
  useEffect(() => (isSignedIn ? followChanges() : undefined), [isSignedIn]);
  useEffect(() => {
    if (isSignedOut) void navigate({href: '/app/sign-in', replace: true});
  }, [isSignedOut, navigate]);
  return (
    <div className={styles['frame']}>
      <nav aria-label={words.frame.navigation} className={styles['side']}>
        <Link to="/">{words.frame.pages.today}</Link>
      </nav>
      <main id="content" className={styles['content']}>
        <Outlet />
      </main>
    </div>
  );
}
