// What the API finds wrong with a field, in the user's language. It says so in English sentences of fixed forms: those that are known here
// are translated, any other stays as it is. In English nothing is changed.

import { defineTexts, textsNow } from '../i18n/language.js';

const texts = defineTexts({
  en: {
    required: 'is required',
    empty: 'must not be empty',
    tooLong: (most: string) => `must not be longer than ${most} characters`,
    tooShort: (least: string) => `must have at least ${least} characters`,
    tooMany: (most: string) => `must not have more than ${most} entries`,
    tooFew: (least: string) => `must have at least ${least} entries`,
    tooLarge: (most: string) => `must not be more than ${most}`,
    notBelow: (bound: string) => `must be less than ${bound}`,
    tooSmall: (least: string) => `must not be less than ${least}`,
    notAbove: (bound: string) => `must be more than ${bound}`,
    oneOf: (values: string) => `has to be one of ${values}`,
    text: 'has to be text',
    number: 'has to be a number',
    whole: 'has to be a whole number',
    yesOrNo: 'has to be true or false',
    list: 'has to be a list',
    object: 'has to be an object',
    time: 'has to be a time',
    yearAhead: 'must not be more than a year ahead',
    email: 'has to be an e-mail address',
    url: 'has to be an http or https URL',
    uuid: 'has to be a UUID',
    phone: 'has to be a phone number: digits with country code',
    country: 'has to be a country of ISO 3166-1 in two letters, such as BR',
    format: 'has to be of the documented format',
    characters: 'must not contain NUL characters or lone surrogates',
    taken: 'is taken',
    missingVariable: 'is required: neither the call nor the lead has it, and the template no default',
    switchedOff: 'is a user who is switched off',
    tooManyTags: (most: string) => `a lead has at most ${most} tags`,
    tooManyFields: (most: string) => `a lead has at most ${most} custom fields`,
    noInstance: 'this tenant has no chat instance yet',
    noNumber: 'this lead has no chat number yet',
    optedOut: 'this lead has opted out',
    windowClosed: "this lead's reply window is closed",
    optWord: 'is one of optOutKeywords too',
    more: (count: string) => `${count} more fields are wrong and are not listed`,
  },
  pt: {
    required: 'é obrigatório',
    empty: 'não pode ficar vazio',
    tooLong: (most) => `não pode ter mais de ${most} caracteres`,
    tooShort: (least) => `precisa ter pelo menos ${least} caracteres`,
    tooMany: (most) => `não pode ter mais de ${most} itens`,
    tooFew: (least) => `precisa ter pelo menos ${least} item(ns)`,
    tooLarge: (most) => `não pode ser maior que ${most}`,
    notBelow: (bound) => `precisa ser menor que ${bound}`,
    tooSmall: (least) => `não pode ser menor que ${least}`,
    notAbove: (bound) => `precisa ser maior que ${bound}`,
    oneOf: (values) => `precisa ser um destes: ${values}`,
    text: 'precisa ser um texto',
    number: 'precisa ser um número',
    whole: 'precisa ser um número inteiro',
    yesOrNo: 'precisa ser sim ou não',
    list: 'precisa ser uma lista',
    object: 'precisa ser um objeto',
    time: 'precisa ser uma data com hora',
    yearAhead: 'não pode estar a mais de um ano',
    email: 'precisa ser um endereço de e-mail',
    url: 'precisa ser uma URL http ou https',
    uuid: 'precisa ser um UUID',
    phone: 'precisa ser um telefone: dígitos com o código do país',
    country: 'precisa ser um país em duas letras (ISO 3166-1), como BR',
    format: 'precisa ter o formato da documentação',
    characters: 'contém caracteres que não podem ser guardados',
    taken: 'já está em uso',
    missingVariable: 'é obrigatório: nem o envio nem o lead têm esse valor, e o modelo não tem um padrão',
    switchedOff: 'é um usuário desativado',
    tooManyTags: (most) => `um lead tem no máximo ${most} etiquetas`,
    tooManyFields: (most) => `um lead tem no máximo ${most} campos próprios`,
    noInstance: 'ainda não há nenhuma instância',
    noNumber: 'este lead ainda não tem número',
    optedOut: 'este lead pediu para não receber mensagens',
    windowClosed: 'a janela de resposta deste lead está fechada',
    optWord: 'também está entre as palavras de saída',
    more: (count) => `há mais ${count} campos errados que não estão na lista`,
  },
  es: {
    required: 'es obligatorio',
    empty: 'no puede estar vacío',
    tooLong: (most) => `no puede tener más de ${most} caracteres`,
    tooShort: (least) => `debe tener al menos ${least} caracteres`,
    tooMany: (most) => `no puede tener más de ${most} elementos`,
    tooFew: (least) => `debe tener al menos ${least} elemento(s)`,
    tooLarge: (most) => `no puede ser mayor que ${most}`,
    notBelow: (bound) => `debe ser menor que ${bound}`,
    tooSmall: (least) => `no puede ser menor que ${least}`,
    notAbove: (bound) => `debe ser mayor que ${bound}`,
    oneOf: (values) => `debe ser uno de estos: ${values}`,
    text: 'debe ser un texto',
    number: 'debe ser un número',
    whole: 'debe ser un número entero',
    yesOrNo: 'debe ser sí o no',
    list: 'debe ser una lista',
    object: 'debe ser un objeto',
    time: 'debe ser una fecha con hora',
    yearAhead: 'no puede estar a más de un año',
    email: 'debe ser una dirección de correo',
    url: 'debe ser una URL http o https',
    uuid: 'debe ser un UUID',
    phone: 'debe ser un teléfono: dígitos con el código del país',
    country: 'debe ser un país en dos letras (ISO 3166-1), como BR',
    format: 'debe tener el formato de la documentación',
    characters: 'contiene caracteres que no se pueden guardar',
    taken: 'ya está en uso',
    missingVariable: 'es obligatorio: ni el envío ni el lead lo tienen, y la plantilla no tiene un valor por defecto',
    switchedOff: 'es un usuario desactivado',
    tooManyTags: (most) => `un lead tiene como máximo ${most} etiquetas`,
    tooManyFields: (most) => `un lead tiene como máximo ${most} campos propios`,
    noInstance: 'todavía no hay ninguna instancia',
    noNumber: 'este lead todavía no tiene número',
    optedOut: 'este lead se dio de baja',
    windowClosed: 'la ventana de respuesta de este lead está cerrada',
    optWord: 'también está entre las palabras de baja',
    more: (count) => `hay ${count} campos más con errores que no están en la lista`,
  },
});

type Known = keyof (typeof texts)['en'];
type Text = string | ((value: string) => string);

// The English sentences themselves: those with a value have a place for it.
const fixed = new Map<string, Known>();
const forms: { start: string; end: string; key: Known }[] = [];
for (const [key, text] of Object.entries(texts.en) as [Known, Text][]) {
  const [start = '', end] = (typeof text === 'string' ? text : text('\n')).split('\n');
  if (end === undefined) fixed.set(start, key);
  else forms.push({ start, end, key });
}
// One entry is in the singular.
fixed.set('must have at least 1 entry', 'tooFew');
// Of other wordings.
fixed.set('has to be an ISO 8601 time with its zone', 'time');
fixed.set('has to be a phone number', 'phone');
fixed.set('has to be a URL', 'url');

/** @param message as the API says it, after the name of the field */
export function inUsersLanguage(message: string): string {
  const now = textsNow(texts) as Record<Known, Text>;
  if (now === (texts.en as unknown)) return message;
  const key = fixed.get(message);
  if (key !== undefined) return say(now[key], '1');
  const form = forms.find(({ start, end }) => message.startsWith(start) && message.endsWith(end));
  if (form === undefined) return message;
  return say(now[form.key], message.slice(form.start.length, message.length - form.end.length));
}

const say = (text: Text, value: string) => (typeof text === 'string' ? text : text(value));
