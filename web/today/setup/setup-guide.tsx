import type {Schema, Team} from '../../api/schema.ts';
import {Checklist} from './checklist.tsx';
import type {Guide} from './guide.ts';
import {Welcome} from './welcome.tsx';
import {ZoneLine} from './zone-line.tsx';

interface SetupGuideProps {
  readonly guide: Guide | 'zone';
  readonly setup: Schema<'Setup'> | undefined;
  readonly me: Schema<'Me'>;
  /** The team that the page shows; undefined while it is loaded. */
  readonly team: Team | undefined;
  /** Opens the dialog that invites people. */
  readonly onInvite: () => void;
}

/** The help of the first run. It is loaded only for those who need it. */
export function SetupGuide({guide, setup, me, team, onInvite}: SetupGuideProps) {
  if (guide === 'zone') return <ZoneLine me={me} />;
  if (team === undefined || setup === undefined) return null;
  if (guide === 'welcome') return <Welcome me={me} team={team} />;
  const isCard = guide === 'card';
  const checklist = <Checklist isCard={isCard} me={me} onInvite={onInvite} setup={setup} team={team} />;
  return isCard ? checklist : <div className="mb-6">{checklist}</div>;
}
