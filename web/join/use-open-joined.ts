import {useNavigate} from '@tanstack/react-router';
import type {OfferedInvite} from '../api/sign-in.ts';
import {dropLink} from './held-link.ts';

/** Returns a function that opens what a person has joined: the team, or the first page for several. */
export function useOpenJoined(): (invite: OfferedInvite) => Promise<void> {
  const navigate = useNavigate();
  return async ({teams: [team, ...others]}) => {
    dropLink();
    if (team === undefined || others.length > 0) await navigate({to: '/', replace: true});
    else await navigate({to: '/t/$team', params: {team: team.slug}, replace: true});
  };
}
