// Signing in by a link: `POST /app/session` with `link`. With `look`, the link is only shown, and stays valid.
import {requireWayIn} from '../domain/tokens/sign-in.js';
import type {ChangeHandler} from './answer.js';
import {createBodyError, readFields} from './body.js';
import type {BrowserSessions} from './browser-sessions.js';
import type {DashboardContext} from './context.js';

export function createLinkWay(
  {sessions, waysIn}: DashboardContext,
  {withSlot, describeBrowser, presentSession}: BrowserSessions,
): {readonly read: (body: unknown) => ChangeHandler} {
  return {
    read(body) {
      const {link: text, look = false} = readFields(body);
      if (typeof text !== 'string')
        throw createBodyError('link', 'must be what stands behind the # of a sign-in link');
      if (typeof look !== 'boolean') throw createBodyError('look', 'must be true or false');
      return async (request, signInRequest) => {
        const link = await sessions.requireLink(text, signInRequest);
        // The operator, who sets SIGN_IN, can always let a person in.
        if (link.token.created_by !== null) requireWayIn(waysIn, 'link');
        return withSlot(link.workspace, signInRequest, async () => {
          if (look) {
            const {member, workspace} = await sessions.describeLink(link, signInRequest);
            const shown = {
              member: {id: member.id, name: member.name, role: member.role},
              workspace: {id: workspace.id, slug: workspace.slug, name: workspace.name},
              expires_at: link.token.expires_at,
            };
            return {operation: 'lookAtLink', status: 200, body: shown, of: link};
          }
          const asked = await describeBrowser(request, signInRequest);
          return presentSession('signIn', link.workspace, await sessions.signIn(link, asked, signInRequest));
        });
      };
    },
  };
}
