import {Link} from '@tanstack/react-router';
import {texts} from '../texts/texts.ts';
import styles from './team-pages.module.css';

const pages = [
  {to: '/t/$team', name: 'today'},
  {to: '/t/$team/insights', name: 'insights'},
  {to: '/t/$team/settings', name: 'settings'},
] as const;

/** Links to the pages of a team, below its name. */
export function TeamPages({team}: {readonly team: string}) {
  const say = texts.frame.teamPages;
  return (
    <nav aria-label={say.label} className={styles['pages']}>
      {pages.map(({to, name}) => (
        <Link
          activeOptions={{exact: true, includeSearch: false}}
          className={styles['page']}
          key={to}
          params={{team}}
          to={to}
        >
          {say[name]}
        </Link>
      ))}
    </nav>
  );
}
