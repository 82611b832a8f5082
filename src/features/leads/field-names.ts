// The names that people, forms and other products give to the fields of a lead, in English, Portuguese, Spanish, French and German, and the
// commonest ones in further languages. Files and forms look their fields up here.

import { nameKey } from './name-key.js';
import { isOfOthers, withoutLeadWords } from './whose-field.js';

/** Fields that a name can mean. */
export type NamedField = 'chat' | 'name' | NamePart | 'source' | 'country' | 'tags';

/** The parts of a name, in the order in which most languages write them. */
export const nameParts = ['firstName', 'middleName', 'lastName', 'secondLastName'] as const;

export type NamePart = (typeof nameParts)[number];

const lines = (...written: string[]) => written.flatMap((line) => line.split(' '));

/** Names as keys, the best first. */
const mainNames: Readonly<Record<NamedField, readonly string[]>> = {
  chat: lines(
    'whatsapp whatsappnumber whatsappphone whatsappphonenumber numerowhatsapp numerodewhatsapp numerodowhatsapp telefonewhatsapp telefonowhatsapp',
    'celularwhatsapp whatsappcelular whatsapptelefone whatsapptelefono whatsappnummer nowhatsapp whats zap waid',
    'phonenumber mobilephonenumber mobilephone mobile mobilenumber mobphone phonemobile personphonemobile cellphone cell cellnumber',
    'celular cel telcelular numerocelular numerodecelular telefonecelular telefonocelular telemovel movil telefonomovil numeromovil',
    'handy handynummer mobil mobilnummer mobiltelefon mobiltelefonnummer telephoneportable telephonemobile numerodeportable portable gsm',
    'phone phone1value phone1 primaryphone personphone contactphone contactnumber leadphone phonemain phoneno telephonenumber msisdn callernumber',
    'telefone numerodetelefone notelefone nodetelefone telefono numerodetelefono notelefono fone tel telefone1 telefono1 telefoneprincipal telefonoprincipal',
    'telephone numerodetelephone numerotelephone notelephone ntel telefon telefonnummer telefonnr rufnummer',
    'workphone workphonenumber phonework personphonework businessphone companymainphone telefonecomercial telefonodeltrabajo telephoneprofessionnel',
    'homephone phonehome personphonehome telefoneresidencial telefonefixo telfixo telefonodecasa otherphone phoneother personphoneother',
    'phone2value phone2 mobilephone2 telefones fones telefonos phones phonenumbers celulares textremindernumber smsremindernumber sms',
    'numero number nummer',
  ),
  name: lines(
    'fullname namefull displayname nomecompleto nombrecompleto nombreyapellidos nombreyapellido apellidoynombre apellidosynombres nomeesobrenome nomcomplet nometprenom nometprenoms nomsetprenoms prenometnom nomprenom',
    'vollstandigername vollername vorundnachname vorundzuname contactname callername leadname customername profilename personname nomedocliente nomedocontato nombredelcliente',
    'name names nome nombre nom',
    'savedname publicname pushname',
    'comovocesechama comotellamas comosellama wieheissensie wieheisstdu commentvousappelezvous',
    'contact contato contacto cliente customer kunde client comprador compradora buyer',
  ),
  firstName: lines(
    'firstname givenname fname namefirst namefirstname primeironome primernombre nombres nombredepila prenom prenoms vorname nickname first',
  ),
  middleName: lines('middlename namemiddle additionalname nomedomeio segundonombre zweitervorname'),
  lastName: lines(
    'lastname familyname surname lname namelast namelastname sobrenome apelido apellido apellidos apellidopaterno primerapellido nomdefamille nachname familienname last',
  ),
  secondLastName: lines('apellidomaterno segundoapellido secondlastname'),
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
    'telefoon telefoonnummer mobielnummer mobiel gsmnummer tlf mobiltlf mobilnr puhelin puhelinnumero matkapuhelin tālrunis',
    'numertelefonu nrtelefonu telefonkomorkowy telefonnumarası telefonno ceptelefonu ceptel mobitel telefonszám mobilszám',
    'nomortelepon nomorhp nohp nomorwhatsapp điệnthoại sốđiệnthoại sđt dienthoai sodienthoai sdt simu nambayasimu',
    'телефон номертелефона номертелефону мобильныйтелефон контактныйтелефон мобильный ватсап τηλέφωνο κινητό κινητότηλέφωνο ტელეფონი',
    'الهاتف هاتف رقمالهاتف رقمالجوال الجوال جوال رقمالموبايل الموبايل واتساب رقمالواتساب رقمك تلفن موبایل شمارهموبایل شمارهتلفن',
    'טלפון נייד מספרטלפון טלפוןנייד וואטסאפ เบอร์โทร เบอร์โทรศัพท์ เบอร์มือถือ โทรศัพท์',
    '手机 手機 手机号 手机号码 手機號碼 电话 電話 电话号码 電話號碼 联系电话 電話番号 携帯 携帯番号 携帯電話 携帯電話番号',
    '전화 전화번호 휴대폰 휴대폰번호 핸드폰 연락처 मोबाइल मोबाइलनंबर फोन फोननंबर ফোন ফোননম্বর মোবাইল মোবাইলনম্বর',
    'fono wpp моб номер नंबर',
    // A guest is the lead where a hotel sends the form, and somebody else beside the person who registers.
    'guestphone guestphonenumber guestmobile guestmobilenumber guestcontactnumber guestwhatsapp guesttelephone guestcell',
  ),
  name: lines(
    'nomeecognome cognomeenome nominativo naam volledigenaam imieinazwisko adsoyad adısoyadı adınızsoyadınız isimsoyisim isim nama namalengkap',
    'namapenuh jménoapříjmení jméno menoapriezvisko meno teljesnév név numesiprenume numeprenume nume imeiprezime imeinpriimek ime namn navn',
    'fuldtnavn fulltnavn nimi kokonimi vardas vārds nomicognoms pangalan buongpangalan jina jinakamili họvàtên họtên hovaten hoten tên ten',
    'фио полноеимя имяифамилия имя каквасзовут піб імяпрізвище імятапрізвище імя име именафамилия ονοματεπώνυμο όνομα სახელიდაგვარი სახელი',
    'الاسم اسم الاسمالكامل الاسمبالكامل الاسمالثلاثي اسمك نامونامخانوادگی نام שם שםמלא שםושםמשפחה שמך ชื่อนามสกุล ชื่อ',
    '姓名 名字 您的姓名 称呼 名前 お名前 氏名 ご氏名 이름 성명 성함 नाम पूरानाम নাম',
    'guestname guestfullname',
  ),
  firstName: lines(
    'voornaam imie adı adınız ad keresztnév utónév prenume förnamn fornavn etunimi eesnimi namadepan',
    'שםפרטי الاسمالأول 名 名前名 お名前名 氏名名 guestfirstname',
  ),
  middleName: lines('tussenvoegsel отчество побатькові'),
  lastName: lines(
    'cognome achternaam nazwisko soyad soyadı soyadınız soyisim soyismi příjmení priezvisko vezetéknév családnév prezime priimek efternamn efternavn etternavn',
    'sukunimi perekonnanimi pavardė uzvārds cognoms apelyido namabelakang họ ho фамилия прізвище презиме επώνυμο επίθετο გვარი',
    'שםמשפחה اسمالعائلة نامخانوادگی นามสกุล 姓 名前姓 お名前姓 氏名姓 姓氏 성 guestlastname',
  ),
  country: lines('paese nazione kraj ulke negara страна країна الدولة البلد بلد מדינה ארץ 国家 國家 国 국가 देश'),
};

/**
 * Returns the key of a field's name. Where only that is known, it is the key of what a question asks for, as in `Qual é o seu nome?`, of
 * the name without a remark behind it, as in `Celular (contato)`, or without a word for the lead, as in `TelefoneCliente`. A name of a
 * field of somebody else has no other key.
 */
export function fieldKey(written: string): string {
  const name = written.slice(0, maxLookedAt);
  const whole = nameKey(name);
  if (isKnown(whole) || isOfOthers(name)) return whole;
  const asked = askedKey(name);
  const named = withoutRemark(name);
  const short = [asked, askedKey(named)].find(isKnown) ?? ownKey(named) ?? ownKey(name);
  return short ?? asked;
}

/** In characters: no longer name is known. */
const maxLookedAt = 500;

export const withoutRemark = (name: string) =>
  name.slice(0, maxLookedAt).replace(/\s*[(（【［][^()（）【】［］]*[)）】］][\s?*:：]*$/, '');

/** A name that says whose it is comes before one that may be that of an order or a form. */
function ownKey(name: string): string | undefined {
  const rest = withoutLeadWords(name);
  const key = rest === undefined ? '' : nameKey(rest);
  // `Customer number` is no phone, and `Last contact` no name.
  if (!isKnown(key) || /^(?:numero|number|nummer|номер|नबर|first|last)$/.test(key)) return undefined;
  return wholeNames.has(key) ? 'customername' : key;
}

const wholeNames = new Set(['name', 'nome', 'nombre', 'nom']);

/** Words before the name of a field, in questions of five languages. */
const fillers = new Set(
  [
    'what whats is are your my the please enter type write insert give us',
    'qual quais e o a os as seu sua teu tua meu minha informe digite escreva insira deixe por favor',
    'cual cuales es el la su tu mi ingrese ingresa escribe escriba introduce indique indica',
    'wie ist lautet ihr ihre dein deine mein der die das bitte geben sie',
    'quel quelle est votre ton ta mon le entrez saisissez indiquez',
    'il lo tuo tua suo sua vostro inserisci ваш ваше ваша ваши укажите введите आपका आपकी anda kamu je uw jouw',
  ].flatMap((line) => line.split(' ').map(nameKey)),
);

function withoutFillers(name: string): string {
  const words = name.split(/[^\p{L}\p{M}\p{N}'’]+/u).filter((word) => word !== '');
  const isTold = (word: string) => !fillers.has(nameKey(word));
  const first = words.findIndex(isTold);
  return first === -1 ? name : words.slice(first, words.findLastIndex(isTold) + 1).join(' ');
}

const askedKey = (name: string) => nameKey(withoutFillers(name)).replace(/^your(?=.)/, '');

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

const keysOf = (...written: string[]) => new Set(lines(...written).map(nameKey));

/** Names that may mean the whole name, or the first name beside a last name. */
const wholeOrFirst = keysOf(
  'nome nombre имя імя име όνομα სახელი نام שם ชื่อ 이름 名字 isim nama jméno meno ime namn navn nimi vardas vārds pangalan jina tên ten',
);
/** Names that mean the last name beside one of these first names, otherwise the whole name. */
const wholeOrLast = new Map([
  ['nom', 'prenom'],
  ['nume', 'prenume'],
  ['name', 'vorname'],
]);
/** Words that are the part of a name only beside its other part: `ad` may be an advertisement. */
const onlyBeside: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['first', keysOf('last')],
  ['last', keysOf('first')],
  ['ad', keysOf('soyad')],
  ['ho', keysOf('ten')],
]);
/** Last names of languages that write them first. */
const familyFirst = keysOf('vezetéknév családnév họ ho 姓 名前姓 お名前姓 氏名姓 姓氏 성');

export const standsFirst = (lastName: string): boolean => familyFirst.has(lastName);

/** Returns whether a key means something else where none of these other keys stands beside it. */
export function isOtherWord(key: string, others: readonly string[]): boolean {
  const needed = onlyBeside.get(key);
  return needed !== undefined && !others.some((other) => needed.has(other));
}

/** Returns whether a key may be that of a deal's title: beside parts of a name, these are the name. */
export const mayBeTitle = (key: string) => key === 'leadname';

/** Returns whether a key that means a whole name means a part of it, beside fields with these other keys. */
export function isPartOfName(key: string, others: readonly string[]): boolean {
  const first = wholeOrLast.get(key);
  if (first !== undefined) return others.some((other) => other === first || other === `${first}s`);
  return wholeOrFirst.has(key) && !others.some((other) => rankOf('firstName', other) >= 0);
}
