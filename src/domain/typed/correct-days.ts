import {isTypingError, listWords} from './words.js';

const knownWords = listWords(
  'today,tomorrow,yesterday,until,next,days,week,weeks,month,through',
  'monday,tuesday,wednesday,thursday,friday,saturday,sunday',
  'january,february,march,april,june,july,august,september,october,november,december',
);

/** Short forms of days. They are too short, or too different, to count as a spelling mistake. */
const short: Readonly<Record<string, string>> = {
  tmrw: 'tomorrow',
  tmr: 'tomorrow',
  tmw: 'tomorrow',
  tom: 'tomorrow',
  tomo: 'tomorrow',
  '2moro': 'tomorrow',
  tdy: 'today',
  nxt: 'next',
  nex: 'next',
  wk: 'week',
  wek: 'week',
  weds: 'wednesday',
  untl: 'until',
  intil: 'until',
  unitl: 'until',
  utill: 'until',
};

const longest = 12;

const monthDays: Readonly<Record<string, number>> = {feb: 28, apr: 30, jun: 30, sep: 30, nov: 30};
const dayOfMonth = /\b(\d{1,2})(\s*(?:of\s+)?)(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/giu;
const monthAndDay = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)([a-z]*\.?\s*)(\d{1,2})(?!\d)/giu;

/** Corrects misspelt days, and dates that do not exist, such as 31 November; undefined if none. */
export function correctDays(text: string): string | undefined {
  const spelt = text.replaceAll(/[\p{L}\d]+/gu, (word) => correctWord(word));
  const mended = spelt
    .replaceAll(dayOfMonth, (_, day: string, between: string, month: string) =>
      [String(limitToMonthEnd(month, Number(day))), between, month].join(''),
    )
    .replaceAll(monthAndDay, (_, month: string, between: string, day: string) =>
      [month, between, String(limitToMonthEnd(month, Number(day)))].join(''),
    );
  return mended === text ? undefined : mended;
}

function correctWord(word: string): string {
  const typed = word.toLowerCase();
  const known = short[typed];
  if (known !== undefined || typed.length < 4 || typed.length > longest) return known ?? word;
  if (knownWords.includes(typed) || own.has(typed)) return word;
  return knownWords.find((one) => isTypingError(typed, one)) ?? word;
}

/** Words that look like a misspelt day but have their own meaning. */
const own: ReadonlySet<string> = new Set(
  listWords('weekend,weekday,text,best,money,months,weak,funeral,date'),
);

function limitToMonthEnd(month: string, day: number): number {
  return Math.min(day, monthDays[month.toLowerCase()] ?? 31);
}
