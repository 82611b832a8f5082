// The names that people, forms and other products give to the fields of a lead, in English, Portuguese, Spanish, French and German, and the
// commonest ones in further languages. Files and forms look their fields up here.

/** Fields that a name can mean. */
export type NamedField = 'chat' | 'name' | 'firstName' | 'middleName' | 'lastName' | 'source' | 'country' | 'tags';

const lines = (...written: string[]) => written.flatMap((line) => line.split(' '));

/** Names as keys, the best first. */
const mainNames: Readonly<Record<NamedField, readonly string[]>> = {
  chat: lines(
    'whatsapp whatsappnumber whatsappphone whatsappphonenumber numerowhatsapp numerodewhatsapp numerodowhatsapp telefonewhatsapp telefonowhatsapp',
    'celularwhatsapp whatsappcelular whatsapptelefone whatsapptelefono whatsappnummer nowhatsapp whats zap waid',
    'phonenumber mobilephonenumber mobilephone mobile mobilenumber mobphone phonemobile personphonemobile cellphone cell cellnumber',
    'celular cel numerocelular numerodecelular telefonecelular telefonocelular telemovel movil telefonomovil numeromovil',
    'handy handynummer mobil mobilnummer mobiltelefon mobiltelefonnummer telephoneportable telephonemobile numerodeportable portable gsm',
    'phone phone1value phone1 primaryphone personphone contactphone contactnumber leadphone phonemain phoneno telephonenumber msisdn',
    'telefone numerodetelefone notelefone nodetelefone telefono numerodetelefono notelefono fone tel telefone1 telefono1 telefoneprincipal telefonoprincipal',
    'telephone numerodetelephone numerotelephone notelephone ntel telefon telefonnummer telefonnr rufnummer',
    'workphone workphonenumber phonework personphonework businessphone companymainphone telefonecomercial telefonodeltrabajo telephoneprofessionnel',
    'homephone phonehome personphonehome telefoneresidencial telefonodecasa otherphone phoneother personphoneother',
    'phone2value phone2 mobilephone2 telefones telefonos phones phonenumbers celulares textremindernumber smsremindernumber sms',
    'numero number nummer',
  ),
  name: lines(
    'fullname displayname nomecompleto nombrecompleto nombreyapellidos nombreyapellido nomeesobrenome nomcomplet nometprenom prenometnom nomprenom',
    'vollstandigername vollername vorundnachname contactname leadname customername profilename personname nomedocliente nomedocontato nombredelcliente',
    'name names nome nombre nom',
    'comovocesechama comotellamas comosellama wieheissensie wieheisstdu commentvousappelezvous',
    'contact contato contacto cliente customer kunde client',
  ),
  firstName: lines(
    'firstname givenname fname namefirst primeironome primernombre nombredepila prenom vorname nickname',
  ),
  middleName: lines('middlename namemiddle additionalname nomedomeio segundonombre zweitervorname'),
  lastName: lines(
    'lastname familyname surname lname namelast sobrenome apelido apellido apellidos nomdefamille nachname familienname',
  ),
  source: lines('leadsource source origem origen fonte fuente originalsource origine quelle herkunft'),
  country: lines('country countrycode pais codigodopais codigodelpais pays codepays land landercode'),
  tags: lines(
    'tags tag etiquetas etiqueta labels label marcadores labellist groupmembership categories etiquettes schlagworter',
  ),
};

/** Names of further languages, written as there: numbers, names, and countries, without which a national number is another one. */
const furtherNames: Partial<Record<NamedField, readonly string[]>> = {
  chat: lines(
    'cellulare numerocellulare numerodicellulare numeroditelefono recapitotelefonico',
    'telefoon telefoonnummer mobielnummer mobiel gsmnummer',
    'numertelefonu nrtelefonu telefonkomorkowy telefonnumarası telefonno ceptelefonu',
    'nomortelepon nomorhp nohp nomorwhatsapp',
    'телефон номертелефона номертелефону мобильныйтелефон контактныйтелефон мобильный ватсап',
    'الهاتف هاتف رقمالهاتف رقمالجوال الجوال جوال رقمالموبايل الموبايل واتساب رقمالواتساب',
    'טלפון נייד מספרטלפון טלפוןנייד וואטסאפ',
    '手机 手機 手机号 手机号码 手機號碼 电话 電話 电话号码 電話號碼 联系电话 電話番号 携帯 携帯番号 携帯電話 携帯電話番号',
    '전화 전화번호 휴대폰 휴대폰번호 핸드폰 연락처 मोबाइल मोबाइलनंबर फोन फोननंबर',
  ),
  name: lines(
    'nomeecognome cognomeenome nominativo naam volledigenaam imieinazwisko adsoyad adısoyadı adınızsoyadınız nama namalengkap',
    'имя фио полноеимя имяифамилия الاسم اسم الاسمالكامل שם שםמלא 姓名 名字 名前 お名前 氏名 이름 성명 नाम पूरानाम',
  ),
  firstName: lines('voornaam imie שםפרטי الاسمالأول'),
  lastName: lines('cognome achternaam nazwisko soyad фамилия שםמשפחה اسمالعائلة'),
  country: lines('paese nazione kraj ulke negara страна країна الدولة البلد بلد מדינה ארץ 国家 國家 国 국가 देश'),
};

/** A name without accents, blanks, signs and letter case. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]|\p{M}/gu, '');
}

/**
 * Returns the key of a field's name. Where only that is known, it is the key of the name without a remark behind it, as in `Celular (contato)`,
 * or without a word for the lead, as in `TelefoneCliente`, `cus_name` and `Nome do comprador`.
 * @param toKey makes a key of a name
 */
export function fieldKey(name: string, toKey: (name: string) => string = nameKey): string {
  const whole = toKey(name);
  if (isKnown(whole)) return whole;
  const named = name.replace(/\s*\([^()]*\)[\s*:]*$/, '');
  const shorter = [named, withoutPerson(named)].map(toKey);
  return shorter.find((key, index) => isKnown(key) && !(index > 0 && isCount.test(key))) ?? whole;
}

const personWords = new Set(
  lines(
    'customer client cliente cus buyer purchaser comprador compradora lead contact contato contacto visitor visitante interessado interessada',
    'interesado subscriber assinante billing requester solicitante invitee attendee kunde kunden interessent acheteur',
  ),
);
const joiningWords = new Set(lines('do da de del du des der para of the'));
/** `Customer number` is no phone. */
const isCount = /^(?:numero|number|nummer)$/;

function withoutPerson(name: string): string {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => ({ word, key: nameKey(word) }));
  if (!words.some(({ key }) => personWords.has(key))) return name;
  return words.flatMap(({ word, key }) => (personWords.has(key) || joiningWords.has(key) ? [] : [word])).join(' ');
}

/** Names by their keys: the best comes first. */
const names = Object.fromEntries(
  Object.entries(mainNames).map(([field, keys]) => [
    field,
    [...keys, ...(furtherNames[field as NamedField] ?? []).map(nameKey)],
  ]),
) as Record<NamedField, string[]>;

const knownKeys = new Set(Object.values(names).flat());
const isKnown = (key: string) => knownKeys.has(key);

/** Returns how well a key fits a field: 0 is the best, -1 is not at all. */
export function rankOf(field: NamedField, key: string): number {
  return names[field].indexOf(key);
}

/** Names that may mean the whole name, or the first name beside a last name. */
const wholeOrFirst = new Set(['nome', 'nombre', 'имя']);
/** Names that mean the last name beside one of these first names, otherwise the whole name. */
const wholeOrLast = new Map([
  ['nom', 'prenom'],
  ['name', 'vorname'],
]);

/** Returns whether a key that means a whole name means a part of it, beside fields with these other keys. */
export function isPartOfName(key: string, others: readonly string[]): boolean {
  const first = wholeOrLast.get(key);
  if (first !== undefined) return others.includes(first);
  return wholeOrFirst.has(key) && !others.some((other) => rankOf('firstName', other) >= 0);
}
