import {listWords} from '../../domain/typed/words.js';

export const commandNames = [
  'help',
  'today',
  'report',
  'edit',
  'settings',
  'skip',
  'ooo',
  'back',
  'undo',
  'delete',
  'history',
  'missing',
  'remind',
  'web',
  'form',
] as const;
export type CommandName = (typeof commandNames)[number];

/** Synonyms. Alone they run their subcommand: nothing is posted, and a change can be undone. */
const synonyms: Partial<Record<CommandName, readonly string[]>> = {
  help: listWords('commands,usage,man,info,about,version'),
  today: listWords('list,who,status,summary,stats,statistics,team,show,overview'),
  settings: listWords(
    'setting,config,configuration,configure,setup,reminders,reminder,preferences,prefs,options',
    'timezone,notifications,profile',
  ),
  ooo: listWords('away,pto,vacation,holiday,holidays,sick'),
  delete: listWords('remove'),
  history: listWords('mine,archive'),
  remind: listWords('nudge'),
  form: listWords('post,add,new,start,begin,write,standup'),
};

/** Words that are never an update. The bot offers the subcommand that may be meant. */
const asides: Partial<Record<CommandName, readonly string[]>> = {
  help: listWords('hi,hello,hey,test,testing,thanks,thank,join,leave,invite,create'),
  undo: listWords('cancel,abort,oops,revert,nevermind,never'),
  edit: listWords('change'),
  settings: listWords('stop,mute,unmute,pause,snooze,unsubscribe'),
  ooo: listWords('off,out,afk,ill,gone'),
  form: listWords('submit,update'),
  web: listWords('login,signin'),
};

const keyed = (of: Partial<Record<CommandName, readonly string[]>>): ReadonlyMap<string, CommandName> =>
  new Map(commandNames.flatMap((name) => (of[name] ?? []).map((other) => [other, name] as const)));

/** Matches texts that only greet the bot. */
export const greetings = /^(?:hi|hello|hey|hallo|moin)(?: there| bot| standup)?[\s!.,)👋:]*$/iu;

/** Words that run a subcommand at once if they are the whole text. */
export const runsAlone: ReadonlyMap<string, CommandName> = new Map([
  ...commandNames.map((name) => [name, name] as const),
  ...keyed(synonyms),
]);

/** Words that lead to a question if they are the whole text. */
export const asksAlone = keyed(asides);

/** Words that may surround a subcommand. None of them is about work. */
export const fillers: ReadonlySet<string> = new Set(
  listWords(
    'me,my,mine,our,ours,us,we,i,im,ill,ive,id,you,your,the,a,an,this,that,these,those,it,its,one',
    'ones,all,any,some,everyone,everybody,anyone,anybody,somebody,someone,nobody,please,pls,plz',
    'kindly,now,again,just,really,to,for,of,in,on,at,by,from,with,without,about,and,or,but,is,are,am',
    'was,were,be,been,has,have,had,not,hasnt,havent,isnt,didnt,dont,doesnt,cant,yet,still,so,far',
    'already,want,wanna,need,would,like,can,could,should,will,how,what,whats,where,when,which,why',
    'who,whos,do,does,did,working,standup,standups,stand-up,stand-ups,update,updates,entry',
    'entries,post,posts,posted,posting,message,messages,answer,answers,text,last,latest,previous',
    'past,earlier,first,next,current,show,see,view,display,get,give,let,lets,open,go,run,use,make',
    'turn,switch,set,command,commands,bot,app,today,todays,yesterday,yesterdays,tomorrow,tomorrows',
    'day,days,week,weeks,month,monday,tuesday,wednesday,thursday,friday,saturday,sunday,off,out,up',
    'down,thing,said,wrote,back,here,there,else,more,time,zone,teammates,team,teams,people,members',
    'list,reminding,reminders,there,world,sorry,much,lot,very,good,never,mind,day,everything,reports',
    'write,add,new,start,send',
  ),
);

/** Matches words for finished or current work. */
const work =
  /\b(?:done|(?:re)?written|(?:re)?built|sent|made|shipped|wip|live|(?!posted\b|need\b)[a-z]{3,}ed|fix(?:es)?|merging|fixing|working on|deploy(?:ing)?|continu(?:e|ing))\b/i;

/** True if a text is about work and does not ask the bot for something. */
export function mentionsWork(text: string): boolean {
  return work.test(text);
}

/** Matches names of things after "skip", such as a skip list: a text about one skips no standup. */
export const skipThings =
  /^skip[ -](?:lists?|buttons?|links?|logic|tests?|flags?|steps?|navigation|patterns?|levels?|connections?|intro|to[ -]content|layers?)\b/i;

/** Words that look like a misspelt subcommand but have their own meaning. */
export const ordinaryWords: ReadonlySet<string> = new Set(
  listWords(
    'remote,begun,from,undone,mission,states,started,posted,tests,lists,tested,reported,backed,edited',
    'skipped,helped',
  ),
);
