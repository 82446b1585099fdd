import type {Call, Scope} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {createCalendarAddress} from '../../domain/tokens/session.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import {createSecretAddressMaker, type MadeAddress} from './secret-addresses.js';

const feedScopes: readonly Scope[] = ['teams:read', 'members:read'];

/**
 * Creates the address of the caller's calendar feed, which calendars read without another credential. Errors:
 * those of `createSecretAddressMaker`; `forbidden` for a service account.
 */
export function createCalendarFeedMaker(context: ServiceContext) {
  const {publicUrl} = context;
  const createSecretAddress = createSecretAddressMaker(context);

  return function createCalendarFeed(
    call: Call,
    {name = 'Calendar'}: {readonly name?: string | undefined},
  ): Promise<Answer<MadeAddress>> {
    return createSecretAddress(call, async (role) => {
      if (role === 'service_account')
        throw new AppError(
          'forbidden',
          'A service account has no calendar: only people have runs and days off.',
        );
      return {
        address: {
          kind: 'calendar',
          name,
          scopes: feedScopes,
          lifetime: lifetimes.calendarFeed,
          most: limits.calendarFeedsPerMember,
          tooMany: `You have ${limits.calendarFeedsPerMember} calendar feeds already. Revoke one first.`,
          createAddress: (pass) => createCalendarAddress(publicUrl, pass),
        },
      };
    });
  };
}
