import { capitalise } from '@atelier/imaging/analysis/facts/facts.ts';
import { oneLine } from '@atelier/imaging/analysis/facts/given.ts';
import { type Language, PHRASES } from './language_words.ts';
import type { Observations } from './observation_fields.ts';

/** Observations that the response may repeat, and warnings about what was removed. */
interface Cleaned {
  readonly observations: Observations;
  readonly notes: readonly string[];
}

const MARKUP = /<[^<>]{0,400}>|!?\[([^\]]{0,300})\]\([^)]{0,500}\)|[`*_#~|]{2,}|^\s*[#>]+\s+/gmu;
const ADDRESS = /\w+:\/\/|\bwww\.|[^\s@]{1,64}@[^\s@]{1,255}\.\w/iu;
/** Instructions to a reader, in all response languages (prompt injection). */
const ORDER =
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules?|above|previous|everything)\b|\bsystem prompt\b|\byou (?:must|are now|should now)\b|\bas an ai\b|\b(?:call|run|execute|invoke) the tool\b|\bignorier\w*\b.{0,40}\b(?:anweisung\w*|regeln?)\b|\bdu musst\b|\bignore[rz]?\b.{0,40}\b(?:consignes?|instrucciones|règles)\b|\bignora\w*\b.{0,40}\b(?:instrucciones|istruzioni|regole|reglas)\b|(?:指示|命令)を?(?:無視|忘れ)/iu;
export const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])/u;

/** Fields in which a name is that of an author. */
const UNCHECKED = new Set(['style', 'period', 'artist_signed']);

/**
 * Removes markup, URLs, instructions to a reader, and names of people without a basis. Visible text is kept
 * verbatim, because it is quoted.
 * @param known allowed names: those sent by the client, and those of a museum record
 */
export function cleanObservations(
  sent: Observations,
  { language, known }: { language: Language; known: readonly string[] },
): Cleaned {
  const dropped = new Set<string>();
  const names = new Set<string>();
  const allowed = [...known, ...(sent.named ?? []).map(({ name }) => name), ...(sent.visible_text ?? [])];
  const isAboutPeople = sent.people_count !== 0;
  const text = (field: string, value: string, checksNames = isAboutPeople): string => {
    const plain = plainText(value);
    if (plain !== oneLine(value)) dropped.add(`markup in ${field}`);
    const kept = plain.split(SENTENCE_END).filter((sentence) => {
      const reason = ADDRESS.test(sentence) ? 'an address' : ORDER.test(sentence) ? 'an order' : undefined;
      if (reason) dropped.add(`${reason} in ${field}`);
      return reason === undefined;
    });
    const joined = kept.join(language === 'ja' ? '' : ' ').trim();
    return checksNames ? withoutNames(joined, { language, allowed, names }) : joined;
  };
  const entries = Object.entries(sent).map(([field, value]): [string, unknown] => {
    if (field === 'visible_text') return [field, (value as string[]).map(plainText).filter(Boolean)];
    if (UNCHECKED.has(field)) return [field, text(field, String(value), false)];
    if (typeof value === 'string') return [field, text(field, value)];
    if (field !== 'named' && Array.isArray(value))
      return [field, value.map((entry) => text(field, String(entry))).filter(Boolean)];
    return [field, value];
  });
  const notes = [
    ...(dropped.size > 0 ? [`Left out of observations: ${[...dropped].join(', ')}.`] : []),
    ...(names.size > 0
      ? [
          `Names of people are not repeated without a basis: ${[...names].join(', ')}. To name a person, add {name, basis} to observations.named.`,
        ]
      : []),
  ];
  const observations = Object.fromEntries(entries.filter(([, value]) => value !== '')) as Observations;
  return { observations, notes };
}

const plainText = (value: string): string => oneLine(value.replace(MARKUP, '$1'));

/** A given name followed by one to three capitalised words. */
const FULL_NAME =
  /(?<![\p{L}’'-])(\p{Lu}[\p{L}\p{M}-]+)(?:\s\p{Lu}\.)?(?:\s(?:van|von|de|da|di|del|la|le|der|den|bin|al))*(?:\s\p{Lu}[\p{L}\p{M}'’-]+){1,3}/gu;
const HONORIFIC =
  /\b(?:Mr|Mrs|Ms|Dr|President|Chancellor|Queen|King|Prince|Princess|Herr|Frau|Kanzlerin?|Präsident(?:in)?|Monsieur|Madame|Mme|Señora?|Sr|Sra|Signora?|Presidente)\.?\s$/u;
const JAPANESE_NAME =
  /[\p{Script=Han}\p{Script=Katakana}・ー]{2,12}(?=さん|氏|様|大統領|首相|選手)(?:さん|氏|様|大統領|首相|選手)/gu;
/** A name after one of these belongs to an author, not to a person shown. */
const AUTHOR = /\b(?:by|after|style of|manner of|nach|d’après|según|secondo)\s$/iu;
/** Words that make a capitalised phrase the name of something other than a person. */
const NOT_PERSON =
  /\b(?:Street|Road|Avenue|Bridge|Tower|Park|Sea|Lake|River|Bay|Island|Mountains?|City|Square|Church|Cathedral|Museum|Palace|Castle|House|Hall|Station|University|Hotel|Theat(?:re|er)|Opera|Gate|Coast|Beach|Valley|Straße|Platz|Kirche)\b/u;
/** Frequent given names. A person is named by one of these and a surname. */
const GIVEN_NAMES = new Set(
  `Adam Adele Alan Albert Alessandro Alex Alexander Alexandra Alice Alicia Amanda Amy Ana Andrea Andreas Andrew Angela Angelina Anita Ann Anna
  Anne Annie Anthony Antonio Ariana Arnold Arthur Barack Barbara Beatrice Ben Benjamin Bernard Bernd Bill Billie Björn Bob Boris Brad Brian Bruce
  Camilla Carla Carlos Caroline Catherine Charles Charlotte Chris Christian Christina Christine Claire Clara Claudia Cristiano Daniel Daniela
  David Denzel Diana Diego Dieter Donald Dwayne Ed Eduardo Edward Elena Elisabeth Elizabeth Ellen Elon Elton Elvis Emily Emma Emmanuel Eric Erik
  Ernest Eva Fernando Francesca Francesco Francis Francisco Frank Frida François Franz Freddie Friedrich Gabriel George Georges Gerard Gerhard
  Giorgia Giovanni Giulia Giuseppe Greta Hannah Hans Harrison Harry Heidi Helen Helene Henri Henry Hillary Hugh Ian Isabel Isabella Jack Jacques
  James Jan Jane Javier Jean Jeff Jennifer Jens Jerry Jessica Jim Joan Joe Johannes John Johnny Jonas Jorge Joseph José Juan Julia Julian Julie
  Justin Kamala Karl Kate Katy Keanu Kevin Kim Klaus Kylian Lady Laura Leo Leonardo Lewis Linda Lionel Lisa Louis Louise Lucas Luca Lucia Luis
  Lukas Madonna Manuel Marco Margaret Margot Maria Marie Marilyn Mario Mark Marta Martin Mary Matt Matteo Matthew Max Meghan Meryl Michael Michel
  Michelle Miguel Mohamed Morgan Naomi Natalie Neil Nelson Nicolas Nicole Nina Olaf Oliver Olivia Oprah Oscar Otto Pablo Paolo Pascal Patricia
  Patrick Paul Paula Pedro Peter Philip Philippe Pierre Priyanka Rafael Rebecca Ricardo Richard Robert Roberto Roger Ronald Rosa Russell Ryan
  Salma Sam Samuel Sandra Sara Sarah Scarlett Sebastian Selena Serena Sergio Silvia Simon Sofia Sophia Sophie Stefan Stephen Steve Steven Susan
  Sylvester Taylor Theresa Thomas Tim Timothée Tom Tony Ulrich Ursula Usain Valentina Venus Victor Victoria Vincent Vladimir Volodymyr Walter
  Whitney Will William Wolfgang Xi Yoko Yuki Zendaya`.split(/\s+/),
);

interface NameRules {
  readonly language: Language;
  readonly allowed: readonly string[];
  /** Receives the removed names. */
  readonly names: Set<string>;
}

function withoutNames(text: string, { language, allowed, names }: NameRules): string {
  const known = allowed.map((name) => name.toLowerCase());
  const isKnown = (name: string) =>
    known.some((one) => one.includes(name.toLowerCase()) || name.toLowerCase().includes(one));
  const { person } = PHRASES[language];
  const leaveOut = (name: string, at: number) => {
    names.add(name);
    return at === 0 || /[.!?]\s*$/u.test(text.slice(0, at)) ? capitalise(person) : person;
  };
  return text
    .replace(FULL_NAME, (name, first: string, at: number) => {
      const before = text.slice(0, at);
      const isPerson = GIVEN_NAMES.has(first) || HONORIFIC.test(before);
      if (!isPerson || AUTHOR.test(before) || NOT_PERSON.test(name) || isKnown(name)) return name;
      return leaveOut(name, at);
    })
    .replace(JAPANESE_NAME, (name, at: number) => (isKnown(name) ? name : leaveOut(name, at)));
}
