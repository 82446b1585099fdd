import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {createNewcomers, createSlackAdmins} from '../../../src/bot/slack/core/newcomers.js';
import {createSlackIdentities} from '../../../src/bot/slack/core/slack-identities.js';
import {scopes as allScopes} from '../../../src/domain/core/access.js';
import {AppError} from '../../../src/domain/core/errors.js';
import {SignInRefused} from '../../../src/domain/tokens/sign-in.js';
import type {MemberRole} from '../../../src/domain/workspaces/workspace.js';
import {addPerson} from '../people.js';
import {listCodeMails, readCodeOfMail} from '../../dashboard/mailed-codes.js';
import {createTestBrowser, type TestBrowser} from '../../dashboard/test-browser.js';
import {deep} from '../../support/deep.js';
import {asId} from '../../support/ids.js';
import {audience, type TestIdentityProvider, startIdentityProvider} from '../../support/identity-provider.js';
import {type Chance, createChance} from '../../support/seeded-random.js';
import {runConcurrently} from '../../support/side-by-side.js';
import {startTestStore, type TestStore} from '../../support/test-store.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';

/** The whole walk: `npm run faults -- roles --steps 5000 --seed n`. */
const seed = Number(process.env['ROLE_WALK_SEED'] ?? 7);
const steps = Number(process.env['ROLE_WALK_STEPS'] ?? (deep ? 250 : 120));

// The provider prints a warning that it is for development.
Object.assign(console, {warn: () => undefined, info: () => undefined});

let provider: TestIdentityProvider;
let store: TestStore;
let service: TestService;
/** A process with e-mail on the same data. Elsewhere it is off, so that the walk gets the links of invites. */
let mailing: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  provider = await startIdentityProvider({});
  const {issuer, jwksUrl} = provider;
  const rules = {issuer, audience, jwks_url: jwksUrl, workspaces: ['acme'], service_accounts: {}};
  store = await startTestStore({shared: true});
  const env = {...store.env, ROLES: 'web'};
  const withIssuer = {...env, TRUSTED_ISSUERS: JSON.stringify([rules])};
  service = await startService({redisUrl: store.url, env: withIssuer});
  mailing = await startService({redisUrl: store.url, env, mail: 'sent'});
  workspace = await service.addWorkspace('Acme');
});

afterAll(async () => {
  await mailing.close();
  await service.close();
  await provider.close();
  await store.stop();
});

/** A person with two e-mail addresses and two Slack users, one of each shared with another person. */
interface WalkPerson {
  readonly name: string;
  readonly emails: readonly string[];
  readonly slackUsers: readonly string[];
  /** The member's id as the owners know it; undefined after the removal. */
  id: string | undefined;
  role: MemberRole;
}

/** A way to sign in and the person who holds it. It may act as another person. */
interface SignInWay {
  readonly holder: WalkPerson;
  /** History of the way, for the message of a failure. */
  readonly story: string;
  readonly kind: 'token' | 'session' | 'link' | 'issuer';
  /** A Bearer token; undefined if the way gives none any longer. */
  readonly bearer: () => Promise<string | undefined>;
  readonly link?: string;
  /**
   * True when the way rests on a name that an admin may have given. The way then counts as the admin's own,
   * up to an admin's rights.
   */
  readonly byName?: boolean | undefined;
}

/** The link of an invite, and what the walk knows of it. */
interface WalkInvite {
  /** The person who has the link. They may have made it in the name of another member. */
  readonly holder: WalkPerson;
  /** The id of the member or service account in whose name it was made. */
  readonly maker: string;
  readonly role: 'member' | 'admin';
  readonly email: string | null;
  readonly link: string;
  /** History of the invite, for the message of a failure. */
  readonly story: string;
  uses: number;
}

/** The number of people in the walk, after which a new one takes the place of one who joined before. */
const mostPeople = 11;

const ranks: Readonly<Record<string, number>> = {member: 0, admin: 1, service_account: 1, owner: 2};
const rankOf = ({id, role}: WalkPerson): number => (id === undefined ? -1 : (ranks[role] ?? -1));

class Walk {
  readonly chance: Chance = createChance(seed);
  readonly people: WalkPerson[] = (
    [
      ['Olga', 'owner'],
      ['Otto', 'owner'],
      ['Adam', 'admin'],
      ['Anna', 'admin'],
      ['Mia', 'member'],
      ['Max', 'member'],
      ['Mona', 'member'],
    ] as const
  ).map(([name, role]) => ({
    name,
    role,
    id: undefined,
    emails: [`${name.toLowerCase()}@example.com`, `${name.toLowerCase()}.alt@example.com`],
    slackUsers: [`U0${name.toUpperCase()}`, `U1${name.toUpperCase()}`],
  }));
  ways: SignInWay[] = [];
  invites: WalkInvite[] = [];
  private newcomers = 0;
  /** The codes in the mailboxes, by address. */
  readonly codes = new Map<string, string>();
  readonly journal: string[] = [];
  readonly counts: Record<string, number> = {
    allowed: 0,
    refused: 0,
    promotions: 0,
    codes: 0,
    ended: 0,
    joined: 0,
    blocked: 0,
  };
  readonly wrong: string[] = [];
  readonly identities = createSlackIdentities({
    services: service.core.services,
    installations: {} as never,
    clients: {} as never,
    looks: {} as never,
    newcomers: createNewcomers({slackAdmins: createSlackAdmins(false)}),
    limits: {all: 1_000_000, writes: 1_000_000},
  });

  private readonly deadline = () => performance.now() + 10_000;

  /** True once in `times` cases on average. */
  private once(times: number): boolean {
    return this.chance.between(1, times) === 1;
  }

  private log(text: string): void {
    this.journal.push(`${this.journal.length + 1} ${text}`);
  }

  private count(answer: TestResponse, text: string): boolean {
    const allowed = answer.status < 300;
    this.log(`${text}: ${answer.status} ${answer.body?.code ?? ''}`);
    if (answer.status >= 500) throw new Error(`${this.journal.at(-1)} ${answer.text}`);
    this.counts[allowed ? 'allowed' : 'refused'] = (this.counts[allowed ? 'allowed' : 'refused'] ?? 0) + 1;
    return allowed;
  }

  /** The operator adds a person to the workspace, with one token. */
  async arrive(person: WalkPerson, role: MemberRole): Promise<void> {
    const {members, tokens} = service.core.services;
    const call = workspace.operator();
    const input = {name: person.name, role, email: undefined, slack_user_id: undefined};
    const {id = ''} = await members.createMember(call, input);
    const holder = {type: 'member', id: asId<'member'>(id), name: person.name} as const;
    const {value} = await tokens.issueToken(call, {name: 'first', holder, scopes: allScopes});
    Object.assign(person, {id, role});
    this.keep({
      holder: person,
      kind: 'token',
      bearer: async () => value,
      story: `${person.name}'s own token`,
    });
  }

  private keep(way: SignInWay): void {
    this.ways.push(way);
    if (this.ways.length > 80) this.ways.splice(this.chance.between(0, 40), 1);
  }

  private async waysOf(person: WalkPerson): Promise<SignInWay[]> {
    const own = this.ways.filter(({holder, kind}) => holder === person && kind !== 'link');
    if (own.length > 0) return own;
    const {tokens} = service.core.services;
    if (person.id === undefined) return [];
    const holder = {type: 'member', id: asId<'member'>(person.id), name: person.name} as const;
    const {value} = await tokens.issueToken(workspace.operator(), {name: 'again', holder, scopes: allScopes});
    this.keep({
      holder: person,
      kind: 'token',
      bearer: async () => value,
      story: `${person.name}'s own token`,
    });
    return this.ways.slice(-1);
  }

  async step(): Promise<void> {
    const gone = this.people.find(({id}) => id === undefined);
    if (gone !== undefined && this.once(3)) await this.arrive(gone, 'member');
    const holder = this.chance.pick(this.people);
    if (this.once(4)) return this.useName(holder);
    if (this.invites.length > 0 && this.once(12)) return this.join(this.chance.pick(this.invites));
    const links = this.ways.filter((way) => way.holder === holder && way.kind === 'link');
    if (links.length > 0 && this.once(3)) return this.openLink(this.chance.pick(links));
    const ways = await this.waysOf(holder);
    if (ways.length === 0) return;
    const way = this.chance.pick(ways);
    const bearer = await way.bearer();
    if (bearer === undefined) return;
    await this.act(way, bearer);
  }

  private async act(way: SignInWay, token: string): Promise<void> {
    const other = this.chance.pick(this.people);
    const member = other.id ?? 'mem_01ke6p2q0w9m4t7x2c5b8z1hfd';
    const ask = (method: string, path: string, body?: Json) =>
      workspace.request(method, path, {token, ...(body && {body})});
    const {holder} = way;
    const said = `${holder.name} (${holder.role}) by ${way.story}`;
    switch (
      this.chance.pick([
        'token',
        'token',
        'link',
        'link',
        'invite',
        'role',
        'role',
        'name',
        'name',
        'remove',
        'revoke',
        'sign out',
      ])
    ) {
      case 'token': {
        const forOne = this.chance.pick([{member}, {member}, {}, {service_account: 'ci'}]);
        const body = {name: 'walked', ...forOne, scopes: ['members:read', 'members:write', 'tokens:manage']};
        const answer = await ask('POST', '/v1/tokens', body);
        if (!this.count(answer, `${said}: a token for ${JSON.stringify(forOne)}`)) return;
        const {token: value, id, holder: target} = answer.body;
        this.keep({
          holder,
          byName: way.byName,
          kind: 'token',
          bearer: async () => value,
          story: `token ${id} of ${target.name}, made by ${way.story}`,
        });
        return;
      }
      case 'link': {
        const answer = await ask('POST', '/v1/sign-in-links', this.once(3) ? {} : {member});
        if (this.count(answer, `${said}: a link for ${other.name}`)) this.keepLink(way, answer.body);
        return;
      }
      case 'invite': {
        const role = this.chance.pick(['member', 'admin'] as const);
        const email = this.once(2) ? null : `guest${this.journal.length}@example.com`;
        const body = email === null ? {max_uses: 2} : {emails: [email], role};
        const answer = await ask('POST', '/v1/invites', body);
        if (!this.count(answer, `${said}: an invite ${JSON.stringify(body)}`)) return;
        const [{id, url, max_uses: uses, created_by: maker}] = answer.body.data;
        // The walk does not know the role of a person that it has left out.
        const isKnown = maker.id.startsWith('svc_') || this.people.some((one) => one.id === maker.id);
        if (!isKnown) return;
        this.invites.push({
          holder,
          maker: maker.id,
          role: email === null ? 'member' : role,
          email,
          link: url.slice(url.indexOf('#') + 1),
          story: `invite ${id}, made by ${way.story}`,
          uses,
        });
        return;
      }
      case 'role': {
        const role = this.chance.pick(['owner', 'owner', 'admin', 'member'] as const);
        // Owners make no mistakes in the walk: they confirm only the person's own names.
        const {body: known} = await ask('GET', `/v1/members/${member}`);
        const names = {
          ...(other.emails.includes(known?.email) && {email: known.email}),
          ...(other.slackUsers.includes(known?.slack_user_id) && {slack_user_id: known.slack_user_id}),
        };
        const confirms = role === 'owner' && this.once(2);
        const answer = await ask('PATCH', `/v1/members/${member}`, {role, ...(confirms && names)});
        if (!this.count(answer, `${said}: ${other.name} becomes ${role}${confirms ? ', confirmed' : ''}`))
          return;
        if (ranks[role]! > ranks[other.role]!) this.counts['promotions']! += 1;
        other.role = role;
        return this.check();
      }
      case 'name': {
        // Owners assign the person's own names; others assign names that they themselves hold.
        const of = way.holder.role === 'owner' ? other : holder;
        const change = this.once(2)
          ? {email: this.once(6) ? null : this.chance.pick(of.emails)}
          : {slack_user_id: this.once(6) ? null : this.chance.pick(of.slackUsers)};
        this.count(
          await ask('PATCH', `/v1/members/${member}`, change),
          `${said}: ${other.name} is ${JSON.stringify(change)}`,
        );
        return;
      }
      case 'remove': {
        if (other.role === 'owner' || !this.once(4)) return;
        const answer = await ask('DELETE', `/v1/members/${member}`);
        if (!this.count(answer, `${said}: removes ${other.name}`)) return;
        other.id = undefined;
        return this.check();
      }
      case 'revoke': {
        if (!this.once(3)) return;
        const {body} = await ask('GET', '/v1/tokens?limit=100');
        const one = body?.data?.length > 0 ? this.chance.pick<Json>(body.data) : undefined;
        if (one !== undefined)
          this.count(await ask('DELETE', `/v1/tokens/${one.id}`), `${said}: ends ${one.id}`);
        return;
      }
      case 'sign out': {
        if (way.kind !== 'session' || !this.once(3)) return;
        this.ways = this.ways.filter((one) => one !== way);
        return;
      }
    }
  }

  private keepLink(
    {holder, byName, story: by}: Pick<SignInWay, 'holder' | 'byName' | 'story'>,
    {url, id, holder: target}: Json,
  ): void {
    const story = `link ${id} of ${target.name}, made by ${by}`;
    this.keep({holder, byName, kind: 'link', bearer: async () => undefined, link: url, story});
  }

  private keepSession(
    {holder, byName, story}: Pick<SignInWay, 'holder' | 'byName' | 'story'>,
    browser: TestBrowser,
  ): void {
    const bearer = async () => {
      const answer = await browser.ask('POST', '/app/session/token');
      return answer.status === 200 ? answer.body.token : undefined;
    };
    this.keep({holder, byName, kind: 'session', bearer, story});
  }

  private async openLink(way: SignInWay): Promise<void> {
    this.ways = this.ways.filter((one) => one !== way);
    const browser = createTestBrowser(service);
    const answer = await browser.signIn(way.link ?? '');
    if (this.count(answer, `${way.holder.name} opens ${way.story}`))
      this.keepSession({...way, story: `the session by ${way.story}`}, browser);
  }

  /** Somebody without an account opens the link of an invite. Its maker must still be able to give its role. */
  private async join(invite: WalkInvite): Promise<void> {
    const {maker, role, email, link, story} = invite;
    const member = this.people.find(({id}) => id === maker);
    const rank = maker.startsWith('svc_') ? 'service account' : (member?.role ?? 'gone');
    const mayGive = role === 'admin' ? rank === 'owner' : rank !== 'member' && rank !== 'gone';
    const isOpen = invite.uses > 0 && mayGive;
    const name = `Guest${++this.newcomers}`;
    const browser = createTestBrowser(service);
    const key = name.padEnd(22, 'k');
    const answer = await browser.ask('POST', '/app/invite', {body: {link, name, key}});
    const isIn = this.count(answer, `${name} joins by ${story}`);
    if (isIn !== isOpen)
      this.wrong.push(`${name} ${isIn ? 'joined' : 'was refused'} by ${story}, whose maker is ${rank}`);
    if (!isIn) {
      if (invite.uses > 0) this.counts['blocked']! += 1;
      return;
    }
    invite.uses -= 1;
    this.counts['joined']! += 1;
    const {body} = await sendRequest(service.url, 'GET', '/v1/me', {token: await browser.token()});
    const of = name.toLowerCase();
    const guest: WalkPerson = {
      name,
      role,
      id: body.principal.id,
      emails: [email ?? `${of}@example.com`, `${of}.alt@example.com`],
      slackUsers: [`U0${name.toUpperCase()}`, `U1${name.toUpperCase()}`],
    };
    this.leaveOut();
    this.people.push(guest);
    // No one has proven the address of an invite: its maker may have used the link.
    const holder = email === null ? guest : invite.holder;
    this.keepSession({holder, byName: email !== null, story: `the session by ${story}`}, browser);
    return this.check();
  }

  /** Forgets one of the people who joined, once there are many. */
  private leaveOut(): void {
    if (this.people.length < mostPeople) return;
    const [left] = this.people.splice(7, 1);
    this.ways = this.ways.filter(({holder}) => holder !== left);
    this.invites = this.invites.filter(({holder, maker}) => holder !== left && maker !== left?.id);
  }

  /** A person comes in by their e-mail address or Slack user, as the member that has it at the moment. */
  private async useName(holder: WalkPerson): Promise<void> {
    const {externalCallers, sessions} = service.core.services;
    const email = this.chance.pick(holder.emails);
    const slackUser = this.chance.pick(holder.slackUsers);
    try {
      switch (this.chance.pick(['sign in', 'code', 'code', 'issuer', 'slack'])) {
        case 'sign in': {
          const {issuer} = provider;
          const vouched = await externalCallers.findVouched(
            {issuer, subject: holder.name, email},
            this.deadline(),
          );
          if (!('member' in vouched)) throw new SignInRefused('unknown_person');
          const session = {name: 'walked', instead: undefined};
          const signInRequest = {deadline: this.deadline()};
          const {pass} = await sessions.signInMember({...vouched, confirmed: true}, session, signInRequest);
          const browser = createTestBrowser(service);
          browser.cookie = `standup=${pass}`;
          this.keepSession({holder, byName: true, story: `the session by ${email}`}, browser);
          break;
        }
        case 'code': {
          const address = holder.emails.find((one) => this.codes.has(one)) ?? email;
          const pass = await this.useCode(address);
          if (pass === undefined) return;
          const browser = createTestBrowser(service);
          browser.cookie = `standup=${pass}`;
          this.counts['codes']! += 1;
          this.keepSession({holder, byName: true, story: `the session by a code to ${address}`}, browser);
          break;
        }
        case 'issuer': {
          const scope = 'members:read members:write';
          const value = await provider.forge({sub: holder.name, email, email_verified: true, scope});
          this.keep({
            holder,
            byName: true,
            kind: 'issuer',
            bearer: async () => value,
            story: `the issuer's token for ${email}`,
          });
          break;
        }
        default: {
          if ((await this.findSlackMember(slackUser)) === undefined) return;
          const home = {origin: {team: 'T0HOME'}, installation: {id: 'T0HOME'}};
          const slackWorkspace = {...home, workspace: workspace.id} as never;
          const call = await this.identities.admit(
            slackWorkspace,
            {id: slackUser, name: holder.name},
            this.deadline(),
          );
          const {body} = await sessions.createSignInLink(call, {});
          this.keepLink({holder, byName: true, story: slackUser}, JSON.parse(body));
        }
      }
      this.counts['allowed']! += 1;
    } catch (error) {
      if (!(error instanceof AppError) && !(error instanceof SignInRefused)) throw error;
      this.counts['refused']! += 1;
    }
    return this.check();
  }

  /** Signs in by the code that was mailed to an address earlier, or else asks for one. Returns the session. */
  private async useCode(email: string): Promise<string | undefined> {
    const {codes, sessions} = mailing.core.services;
    const subject = {workspace: 'acme', email};
    const signInRequest = {deadline: this.deadline()};
    const code = this.codes.get(email);
    if (code === undefined) {
      const [before] = await listCodeMails(mailing, workspace);
      const send = await codes.ask(subject, signInRequest);
      await send(this.deadline());
      const [mail] = await listCodeMails(mailing, workspace);
      if (mail !== undefined && mail.suffix !== before?.suffix)
        this.codes.set(email, await readCodeOfMail(mailing, workspace, mail));
      return undefined;
    }
    this.codes.delete(email);
    const proven = await codes.take(subject, code, signInRequest);
    const session = {name: 'walked', instead: undefined};
    return (await sessions.signInMember({...proven, confirmed: true}, session, signInRequest)).pass;
  }

  private findSlackMember(slackUser: string) {
    return service.core.services.people.findSlackMember(workspace.operator(), slackUser);
  }

  /** Checks that no way has more rights than its holder, and drops ways that have ended. */
  async check(): Promise<void> {
    const roles = await runConcurrently(this.ways, (way) => this.roleBy(way));
    for (const [at, way] of [...this.ways].entries()) {
      const role = roles[at];
      if (role === undefined) {
        this.counts['ended']! += 1;
        // The address of an ended way may be assigned again.
        if (way.kind !== 'issuer' || this.once(2)) this.ways = this.ways.filter((one) => one !== way);
      } else if ((ranks[role] ?? 3) > rankOf(way.holder) && (role === 'owner' || way.byName !== true)) {
        const what = `${way.holder.name}, ${way.holder.id === undefined ? 'gone' : way.holder.role}, acts as ${role} by ${way.story}`;
        if (!this.wrong.includes(what)) this.wrong.push(what);
      }
    }
  }

  /** The role of the member that a way acts as; undefined once the way has ended. */
  private async roleBy({link, bearer}: SignInWay): Promise<string | undefined> {
    if (link !== undefined) return this.lookAt(link);
    const token = await bearer();
    if (token === undefined) return undefined;
    const {status, body} = await sendRequest(service.url, 'GET', '/v1/me', {token});
    return status === 200 ? body.role : undefined;
  }

  private async lookAt(link: string): Promise<string | undefined> {
    const body = {link: link.slice(link.indexOf('#') + 1), look: true};
    const answer = await createTestBrowser(service).ask('POST', '/app/session', {body});
    return answer.status === 200 ? answer.body.member.role : undefined;
  }
}

it(
  `regression: no member uses a right that no superior gave while roles change, in ${steps} steps (seed ${seed})`,
  async () => {
    const walk = new Walk();
    for (const person of walk.people) await walk.arrive(person, person.role);
    for (let step = 1; step <= steps && walk.wrong.length === 0; step++) await walk.step();
    await walk.check();
    process.stdout.write(
      `walk of roles: ${JSON.stringify({seed, steps, acts: walk.journal.length, ...walk.counts})}\n`,
    );
    const journal = walk.wrong.length === 0 ? [] : walk.journal.slice(-40);
    expect({wrong: walk.wrong, journal}).toEqual({wrong: [], journal: []});
    expect(walk.counts['promotions']).toBeGreaterThan(0);
    expect(walk.counts['refused']).toBeGreaterThan(steps / 10);
    expect(walk.counts['joined']).toBeGreaterThan(0);
  },
  60_000 + steps * 500,
);

it('an e-mail address and a Slack user set by an admin sign in no owner before an owner confirms them', async () => {
  const olga = await addPerson(service, workspace, {name: 'Olga', role: 'owner'});
  const adam = await addPerson(service, workspace, {name: 'Adam', role: 'admin'});
  const rita = await addPerson(service, workspace, {name: 'Rita'});
  const patch = (token: string, body: Json) =>
    workspace.request('PATCH', `/v1/members/${rita.id}`, {token, body});
  const names = {email: 'rita.new@example.com', slack_user_id: 'U0RITANEW'};
  expect((await patch(adam.token, names)).status).toBe(200);
  const claims = {sub: 'rita', email: names.email, email_verified: true, scope: 'standups:read'};
  const bearer = await provider.forge(claims);
  const statusOf = async (token: string) => (await workspace.request('GET', '/v1/me', {token})).status;
  const {externalCallers, people} = service.core.services;
  const vouch = () =>
    externalCallers.findVouched(
      {issuer: provider.issuer, subject: 'rita', email: names.email},
      performance.now() + 10_000,
    );
  const admit = () => people.admitSlackMember(workspace.operator(), names.slack_user_id);
  const made = await workspace.request('POST', '/v1/tokens', {
    token: rita.token,
    body: {name: 'in her name'},
  });
  expect(await statusOf(bearer)).toBe(200);
  expect(await admit()).toMatchObject({id: rita.id});

  expect((await patch(olga.token, {role: 'owner'})).body).toMatchObject({role: 'owner', ...names});
  expect(await statusOf(bearer)).toBe(401);
  // Another holder of the address may have made this token.
  expect(await statusOf(made.body.token)).toBe(401);
  await expect(vouch()).rejects.toMatchObject({problem: 'unconfirmed_name'});
  await expect(admit()).rejects.toMatchObject({code: 'forbidden'});
  await patch(olga.token, {email: names.email});
  expect(await statusOf(bearer)).toBe(401);

  expect((await patch(olga.token, names)).status).toBe(200);
  expect(await statusOf(bearer)).toBe(200);
  expect(await vouch()).toMatchObject({member: rita.id});
  expect(await admit()).toMatchObject({id: rita.id});
});
