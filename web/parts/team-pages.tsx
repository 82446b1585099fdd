import {Link} from '@tanstack/react-router';
import {texts} from '../texts/texts.ts';

const pages = [
  {to: '/t/$team', name: 'today'},
  {to: '/t/$team/insights', name: 'insights'},
  {to: '/t/$team/settings', name: 'settings'},
] as const;

/** Look of a link that is a tab above a page or section; `aria-current` marks the chosen one. */
export const pageLink =
  'inline-flex min-h-row items-center border-b-2 border-transparent text-quiet no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-ink';

/** Look of a link to what comes before or after the page, such as the run of the day before. */
export const neighbourLink =
  'grid size-row place-items-center rounded-lg border border-line bg-card text-ink hover:border-edge aria-disabled:bg-transparent aria-disabled:text-quiet aria-disabled:opacity-50';

export function TeamPages({team}: {readonly team: string}) {
  const say = texts.frame.teamPages;
  return (
    <nav aria-label={say.label} className="mb-5 flex flex-wrap gap-x-5 gap-y-1 border-b border-line">
      {pages.map(({to, name}) => (
        <Link
          activeOptions={{exact: true, includeSearch: false}}
          className={`${pageLink} -mb-px`}
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
