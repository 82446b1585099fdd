// Programs without a browser, in the shapes of RFC 8628: `POST /app/device` starts a sign-in, and
// `POST /app/device/token` asks for its token. `POST /app/device/revoke` ends it (RFC 7009).
import {newDeviceLoginSchema} from '../domain/tokens/device-login.js';
import type {PolledLogin} from '../service/tokens/device-logins.js';
import type {ChangeHandlers, DashboardAnswer} from './answer.js';
import {createBodyError, readFields} from './body.js';
import type {DashboardContext} from './context.js';

/** The maximum length of a device code. Ours are shorter. */
const maxDeviceCode = 100;

export function createDeviceLoginHandlers({
  deviceLogins,
  countDeviceLogin,
  countDevicePoll,
  countFailure,
  verifyToken,
  readJson,
  signIn: {now},
}: DashboardContext): ChangeHandlers {
  function presentPolled(polled: PolledLogin): DashboardAnswer {
    const operation = 'pollDeviceLogin';
    if (typeof polled === 'string') return {operation, status: 400, body: {error: polled}, note: {polled}};
    const {token, value} = polled;
    return {
      operation,
      status: 200,
      body: {
        access_token: value,
        token_type: 'Bearer',
        expires_in: Math.max(0, Math.floor((Date.parse(token.expires_at) - now()) / 1_000)),
        expires_at: token.expires_at,
        scope: token.scopes.join(' '),
      },
      note: {principal: token.holder.id, token: token.id},
    };
  }

  return {
    '/app/device': {
      async POST(request, {deadline}) {
        const asked = newDeviceLoginSchema.safeParse(await readJson(request));
        if (!asked.success) {
          const [issue] = asked.error.issues;
          throw createBodyError(String(issue?.path[0] ?? ''), issue?.message ?? 'is wrong');
        }
        const refusal = await countDeviceLogin(request.ip, deadline);
        if (refusal !== undefined) throw refusal;
        const body = await deviceLogins.start(asked.data, {address: request.ip, deadline});
        return {operation: 'startDeviceLogin', status: 200, body};
      },
    },
    '/app/device/token': {
      async POST(request, {deadline}) {
        const {device_code: code} = readFields(await readJson(request));
        if (typeof code !== 'string' || code.length > maxDeviceCode)
          throw createBodyError('device_code', 'must be the code of a started sign-in');
        const tooMany = await countDevicePoll(request.ip, deadline);
        if (tooMany !== undefined) throw tooMany;
        const polled = await deviceLogins.poll(code, deadline);
        // A program may ask once after the end. Who asks for many unknown codes is guessing.
        const refusal = polled === 'expired_token' ? await countFailure(request.ip, deadline) : undefined;
        if (refusal !== undefined) throw refusal;
        return presentPolled(polled);
      },
    },
    '/app/device/revoke': {
      async POST(request, signInRequest) {
        const {token} = readFields(await readJson(request));
        if (typeof token !== 'string') throw createBodyError('token', 'must be the token to revoke');
        const {id, subject, workspace} = await verifyToken(token);
        await deviceLogins.signOut({workspace, id}, signInRequest);
        const note = {principal: subject, token: id, workspace};
        return {operation: 'revokeProgram', status: 204, note};
      },
    },
  };
}
