// The texts of the simulator's customers, in three languages, and the choice of those that fit a message of ours.

export type Language = 'en' | 'pt' | 'es';

/** The topic of a text, as far as a customer understands it. */
type Topic = 'file' | 'thanks' | 'price' | 'time' | 'question' | 'greeting' | 'other';

interface Phrases {
  /** The customer's answers, by topic. */
  answers: Record<Topic, readonly string[]>;
  /** The texts that begin a conversation. */
  openers: readonly string[];
  /** The texts that the customer adds to a conversation that is under way. */
  additions: readonly string[];
  captions: readonly string[];
  /** The names of people who write for the first time. */
  names: readonly string[];
  /** The pattern of their numbers, which are reserved for stories, so that nobody has them; `#` is any digit. */
  numbers: string;
  /** Words that only this language has. */
  marks: RegExp;
  topics: Record<Exclude<Topic, 'file' | 'question' | 'other'>, RegExp>;
}

/** Matches any of these words, whole and in any letter case. */
function wordsOf(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.replaceAll(' ', '|')})(?!\\p{L})`, 'giu');
}

const english: Phrases = {
  answers: {
    file: ['Got it, thank you!', 'Looks lovely 😍', 'Perfect, I will have a look tonight.', 'It opened fine, thanks.'],
    thanks: ['You are welcome!', 'Thank you too 😊', 'Great, talk soon.', '👍'],
    price: [
      'That sounds fair.',
      'Could you do a little better for five nights?',
      'Is cleaning included in that?',
      'Ok, and how do I pay?',
    ],
    time: [
      'Friday would work.',
      'Any time after 3 pm, please.',
      'From the 12th to the 16th.',
      'Tomorrow morning is best.',
    ],
    question: ['Yes, please.', 'No, that is all, thank you.', 'Two adults and one child.', 'Yes, that works for me 👍'],
    greeting: ['Hi! Thanks for getting back to me.', 'Hello! Yes, it is me.', 'Hi, good to hear from you 🙂'],
    other: [
      'Thank you, that helps.',
      'Understood.',
      'Great 👍',
      'Ok, I will let you know today.',
      'Could you send me a photo?',
    ],
  },
  openers: [
    'Hi, do you have anything free in the second week of May?',
    'Hello! Is the flat with the terrace still available?',
    'Good morning, how far is it to the beach?',
    'Do you take pets? We have a small dog 🐶',
    'Hi, what is the price for a week for four people?',
  ],
  additions: [
    'One more thing: is there parking nearby?',
    'Any news?',
    'Could we check in a bit earlier?',
    'By the way, is there a cot for the baby?',
    'We arrive at about 10 pm. Is that a problem?',
  ],
  captions: ['Is it this one?', 'This is the street, isn’t it?', 'My passport copy', 'Look what I found 😄'],
  names: ['Oliver Grant', 'Amelia Wright', 'Noah Bennett', 'Isla Murray', 'Priya Raman', 'Jack Sullivan'],
  numbers: '447700900###',
  marks: wordsOf('the you your is are please thanks thank hello hi we would what when how and for it'),
  topics: {
    thanks: /^(thanks?|thank you|great|perfect|bye|see you)\b/i,
    price: /[€$£]\s?\d|\d\s?(€|eur)|\b(price|cost|per night|discount|total)\b/i,
    time: /\b(when|what time|which (day|date)s?|what dates|tomorrow)\b[^.!]*\?/i,
    greeting: /^(hi|hello|hey|good (morning|afternoon|evening))\b/i,
  },
};

const portuguese: Phrases = {
  answers: {
    file: ['Recebi, obrigada!', 'Que lindo 😍', 'Perfeito, vejo à noite.', 'Abriu certinho, obrigado.'],
    thanks: ['De nada!', 'Obrigada eu 😊', 'Ótimo, até logo.', '👍'],
    price: [
      'Achei justo.',
      'Consegue melhorar um pouco para cinco noites?',
      'A limpeza está incluída?',
      'Certo. Como faço o pagamento?',
    ],
    time: ['Sexta-feira seria bom.', 'Depois das 15h, por favor.', 'Do dia 12 ao dia 16.', 'Amanhã de manhã é melhor.'],
    question: [
      'Sim, por favor.',
      'Não, é só isso, obrigado.',
      'Dois adultos e uma criança.',
      'Sim, para mim está ótimo 👍',
    ],
    greeting: ['Oi! Obrigada pelo retorno.', 'Olá! Sou eu mesmo.', 'Oi, que bom falar com vocês 🙂'],
    other: [
      'Obrigado, já ajuda muito.',
      'Entendi.',
      'Ótimo 👍',
      'Está bem, confirmo ainda hoje.',
      'Pode me mandar uma foto?',
    ],
  },
  openers: [
    'Oi, vocês têm algo livre na segunda semana de maio?',
    'Olá! O apartamento com varanda ainda está disponível?',
    'Bom dia, fica longe da praia?',
    'Aceitam animais? Temos um cachorro pequeno 🐶',
    'Boa tarde, quanto custa uma semana para quatro pessoas?',
  ],
  additions: [
    'Mais uma coisa: tem estacionamento perto?',
    'Alguma novidade?',
    'Podemos entrar um pouco mais cedo?',
    'Aliás, tem berço para o bebê?',
    'Chegamos por volta das 22h. Tem problema?',
  ],
  captions: ['É este aqui?', 'A rua é esta, não é?', 'Cópia do passaporte', 'Olha o que encontrei 😄'],
  names: ['Juliana Prado', 'Rafael Moura', 'Camila Teles', 'Thiago Barreto', 'Inês Carvalho', 'Duarte Pinto'],
  numbers: '1617555010#',
  marks: wordsOf(
    'você vocês não obrigado obrigada olá oi bom boa dia é são está uma com quando quanto datas onde tem seu sua do da dos das no na em ao à às até foi',
  ),
  topics: {
    thanks: /^(obrigad[oa]|valeu|perfeito|ótimo|até)/i,
    price: /€\s?\d|\d\s?(€|eur)|\b(preço|custa|por noite|desconto|total)\b/i,
    time: /\b(quando|que horas|qua(l|is) (o )?(dia|data)s?|amanhã)[^.!]*\?/i,
    greeting: /^(oi|olá|bom dia|boa (tarde|noite))/i,
  },
};

const spanish: Phrases = {
  answers: {
    file: ['Recibido, ¡gracias!', 'Qué bonito 😍', 'Perfecto, lo miro esta noche.', 'Se abre bien, gracias.'],
    thanks: ['¡De nada!', 'Gracias a ustedes 😊', 'Genial, hablamos pronto.', '👍'],
    price: [
      'Me parece justo.',
      '¿Podrían mejorar un poco por cinco noches?',
      '¿La limpieza está incluida?',
      'Bien, ¿y cómo pago?',
    ],
    time: [
      'El viernes me va bien.',
      'Después de las 15 h, por favor.',
      'Del 12 al 16.',
      'Mañana por la mañana es mejor.',
    ],
    question: ['Sí, por favor.', 'No, eso es todo, gracias.', 'Dos adultos y un niño.', 'Sí, me va bien 👍'],
    greeting: ['¡Hola! Gracias por responder.', '¡Hola! Sí, soy yo.', 'Hola, qué bueno leerles 🙂'],
    other: [
      'Gracias, me ayuda mucho.',
      'Entendido.',
      'Genial 👍',
      'De acuerdo, les confirmo hoy.',
      '¿Me pueden mandar una foto?',
    ],
  },
  openers: [
    'Hola, ¿tienen algo libre la segunda semana de mayo?',
    '¡Hola! ¿El piso con terraza sigue disponible?',
    'Buenos días, ¿está lejos de la playa?',
    '¿Admiten mascotas? Tenemos un perrito 🐶',
    'Buenas tardes, ¿cuánto cuesta una semana para cuatro personas?',
  ],
  additions: [
    'Otra cosa: ¿hay aparcamiento cerca?',
    '¿Alguna novedad?',
    '¿Podemos entrar un poco antes?',
    'Por cierto, ¿tienen cuna para el bebé?',
    'Llegamos sobre las 22 h. ¿Hay problema?',
  ],
  captions: ['¿Es este?', 'La calle es esta, ¿no?', 'Copia del pasaporte', 'Miren lo que encontré 😄'],
  names: ['Lucía Herrera', 'Mateo Rivas', 'Valentina Soto', 'Diego Castaño', 'Carmen Ibáñez', 'Andrés Quiroga'],
  numbers: '1305555010#',
  marks: wordsOf(
    'usted ustedes gracias hola buenos buenas días tardes está una con el la los las y cuándo cuánto fechas dónde tienen su sus del en qué sí se',
  ),
  topics: {
    thanks: /^[¡]?(gracias|perfecto|genial|hasta)/i,
    price: /€\s?\d|\d\s?(€|eur)|\b(precio|cuesta|por noche|descuento|total)\b/i,
    time: /(cuándo|qué hora|qué (día|fecha)s?|mañana)[^.!]*\?/i,
    greeting: /^[¡]?(hola|buen[oa]s? (días|tardes|noches))/i,
  },
};

export const PHRASES: Readonly<Record<Language, Phrases>> = { en: english, pt: portuguese, es: spanish };

export const LANGUAGES: readonly Language[] = ['en', 'pt', 'es'];

// This length is enough to tell the topic of any text.
const READ_CHARACTERS = 500;

/** The possible answers to a text of ours, or to a file without one. Never empty. */
export function answersTo(text: string | undefined, isFile: boolean, language: Language): string[] {
  const { answers, topics } = PHRASES[language];
  const read = (text ?? '').slice(0, READ_CHARACTERS).trim();
  if (isFile) return [...answers.file];
  const named = (['price', 'time', 'thanks'] as const).find((topic) => topics[topic].test(read));
  if (named !== undefined) return [...answers[named]];
  if (read.endsWith('?')) return [...answers.question];
  return [...answers[topics.greeting.test(read) && read.length < 60 ? 'greeting' : 'other']];
}

/** The language of a text of ours; undefined when no language has the most known words. */
export function languageOf(text: string | undefined): Language | undefined {
  const read = (text ?? '').slice(0, READ_CHARACTERS);
  const counts = LANGUAGES.map((language) => ({ language, count: read.match(PHRASES[language].marks)?.length ?? 0 }));
  const [best, next] = counts.toSorted((one, other) => other.count - one.count);
  return best === undefined || best.count === (next?.count ?? 0) ? undefined : best.language;
}

/** The language that people with such a number most likely speak. */
export function languageOfNumber(number: string): Language {
  if (/^(55|351|244|258)/.test(number)) return 'pt';
  return /^(34|5[1-9]|50\d|52|53)/.test(number) ? 'es' : 'en';
}
