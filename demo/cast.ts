import type {HolidayChoice} from '../src/domain/absences/absence.js';
import type {NewQuestion} from '../src/domain/questions/question.js';
import type {NewSchedule} from '../src/domain/schedules/schedule.js';
import type {MemberRole} from '../src/domain/workspaces/workspace.js';

/** The company of the demonstration. All names and addresses are made up. */
export const company = 'Tidewater Parcels';

export interface DemoPerson {
  /** The part of the person's email address before the @. */
  readonly key: string;
  readonly name: string;
  readonly zone: string;
  readonly country: NonNullable<HolidayChoice['country']>;
  readonly region: string | null;
  readonly role: MemberRole;
  /** The shares of late and missed standups, in percent. */
  readonly late: number;
  readonly missed: number;
}

export interface DemoTeam {
  readonly slug: string;
  readonly name: string;
  readonly zone: string;
  readonly schedule: NewSchedule;
  readonly questions: readonly NewQuestion[];
  /** The keys of the team's people. The first person leads the team. */
  readonly people: readonly string[];
}

const person = (
  key: string,
  name: string,
  [zone, country, region]: readonly [string, string, (string | null)?],
  {role = 'member', late = 8, missed = 4}: Partial<DemoPerson> = {},
): DemoPerson => ({key, name, zone, country, region: region ?? null, role, late, missed});

const berlin = ['Europe/Berlin', 'DE', 'BE'] as const;
const newYork = ['America/New_York', 'US', 'NY'] as const;
const bengaluru = ['Asia/Kolkata', 'IN', 'KA'] as const;
const london = ['Europe/London', 'GB', 'ENG'] as const;

export const people: readonly DemoPerson[] = [
  person('mara', 'Mara Lindqvist', berlin, {role: 'owner', late: 3, missed: 1}),
  person('jonas', 'Jonas Weidmann', berlin, {late: 4, missed: 2}),
  person('aylin', 'Aylin Demir', ['Europe/Istanbul', 'TR'], {late: 12}),
  person('tomasz', 'Tomasz Zieliński', ['Europe/Warsaw', 'PL'], {late: 6}),
  person('femi', 'Femi Adeyemi', ['Africa/Lagos', 'NG'], {late: 10, missed: 6}),
  person('ingrid', 'Ingrid Solheim', ['Europe/Oslo', 'NO'], {late: 2, missed: 2}),
  person('dana', 'Dana Whitfield', newYork, {role: 'admin', late: 5, missed: 2}),
  person('luis', 'Luis Ferreira', newYork, {late: 14, missed: 8}),
  person('noor', 'Noor Haddad', ['America/Toronto', 'CA', 'ON'], {late: 5}),
  person('caleb', 'Caleb Brooks', ['America/Chicago', 'US', 'IL'], {late: 9, missed: 5}),
  person('mei', 'Mei Tanaka', ['America/Los_Angeles', 'US', 'CA'], {late: 7}),
  person('priya', 'Priya Raman', bengaluru, {late: 3, missed: 2}),
  person('arjun', 'Arjun Shetty', bengaluru, {late: 11}),
  person('kavya', 'Kavya Nair', bengaluru, {late: 4}),
  person('rohan', 'Rohan Kulkarni', bengaluru, {late: 6, missed: 7}),
  person('oliver', 'Oliver Grant', london, {late: 6}),
  person('sofia', 'Sofia Marchetti', ['Europe/Rome', 'IT'], {late: 5}),
];

const workdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;

const done: NewQuestion = {key: 'done', label: 'What have you done?', type: 'text', required: true};
const next: NewQuestion = {key: 'next', label: 'What comes next?', type: 'text', required: true};
const stuck: NewQuestion = {
  key: 'stuck',
  label: 'Is anything blocking you?',
  type: 'text',
  raises_blocker: true,
};
const mood: NewQuestion = {key: 'mood', label: 'How are you?', type: 'mood'};

export const teams: readonly DemoTeam[] = [
  {
    slug: 'platform',
    name: 'Platform',
    zone: 'Europe/Berlin',
    schedule: {frequency: 'weekly', days: workdays, opens: '09:00', closes: '11:00', reminders: [30]},
    questions: [done, next, stuck],
    people: ['jonas', 'mara', 'aylin', 'tomasz', 'femi', 'ingrid', 'oliver'],
  },
  {
    slug: 'storefront',
    name: 'Storefront',
    zone: 'America/New_York',
    schedule: {frequency: 'weekly', days: workdays, opens: '09:30', closes: '11:30', reminders: [30]},
    questions: [done, next, stuck, mood],
    people: ['dana', 'luis', 'noor', 'caleb', 'mei'],
  },
  {
    slug: 'payments',
    name: 'Payments',
    zone: 'Asia/Kolkata',
    schedule: {frequency: 'weekly', days: workdays, opens: '10:00', closes: '12:00', reminders: [30]},
    questions: [done, next, stuck],
    people: ['priya', 'arjun', 'kavya', 'rohan'],
  },
  {
    slug: 'design',
    name: 'Design and research',
    zone: 'Europe/London',
    schedule: {
      frequency: 'weekly',
      days: ['mon', 'wed', 'fri'],
      opens: '09:00',
      closes: '13:00',
      clock: 'member',
    },
    questions: [done, next, mood],
    people: ['sofia', 'oliver', 'mei', 'kavya'],
  },
];

export const reasons = [
  'Vacation',
  'Family visit',
  'Walking in the Alps',
  'Moving house',
  'Conference',
  'Vacation by the sea',
  'Wedding of a friend',
] as const;

export const skips = ['All-day workshop', 'Interviews the whole morning', 'At a customer', null] as const;

/**
 * Blockers that are open at the start. The number is about how many days ago each was raised. The oldest
 * blocker of each team comes first.
 */
export const openBlockers = [
  {team: 'platform', days: 6, text: 'The vendor has not answered the ticket about the label printers.'},
  {team: 'platform', days: 1, text: 'My access to the production logs has expired.'},
  {team: 'storefront', days: 4, text: 'Translations for the checkout are missing.'},
  {team: 'payments', days: 3, text: 'The bank’s sandbox answers 500 to every second request.'},
] as const;
