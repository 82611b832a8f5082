// The API's sentences about a file of leads and its rows. The English texts are the API's own.

import { defineTexts } from '../../i18n/language.js';

export const importSentences = defineTexts({
  en: {
    needsCode: 'needs a country code',
    needsAreaCode: 'is a national number without its area code: write it with area code, or with country code',
    beginsWithZero: 'has to start with a country code, which never begins with 0',
    digits: (least: string, most: string) => `has to have ${least} to ${most} digits, country code included`,
    shortened: 'Excel has shortened this number: format the column as text',
    repeats: (line: string) => `is the number of line ${line}, which counts`,
    tooManyCells: (most: string) => `has more than the ${most} columns of the header`,
    titlesAbove: (line: string) => `Line ${line} names the columns: what stands above it is left out`,
    tooManyColumns: (most: string) => `has more than ${most} columns`,
    tooManyFields: (most: string) => `has more than ${most} columns for custom fields`,
    fieldName: (column: string, why: string) => `names a custom field in column ${column} whose name ${why}`,
    metadataName: (column: string, why: string) => `names metadata in column ${column} whose name ${why}`,
    notUtf8: 'The file is not valid UTF-8: save it as CSV UTF-8',
    workbook:
      'The file is a workbook (Excel, LibreOffice or Numbers), not CSV. Open it there and save it as "CSV UTF-8"',
    oldWorkbook: 'The file is a workbook of an older Excel, not CSV. Open it there and save it as "CSV UTF-8"',
    utf16: 'The file is in UTF-16, as "Unicode text" is. Open it there and save it as "CSV UTF-8"',
    pdf: 'The file is a PDF, not CSV. Export the list as CSV',
    compressed: 'The file is compressed. Unpack it first',
    webPage:
      'The file is a web page, not CSV. Some products name such a file .xls: open it in a spreadsheet and save it as "CSV UTF-8"',
    tooLarge: (most: string) => `The file exceeds ${most} MiB`,
    running: 'Another import of this tenant is running',
    stopped: 'The service was stopped',
    couldNotGoOn: 'The service could not go on',
    quoteNotClosed: (line: string) => `line ${line}: a quotation mark is opened in this row and not closed`,
    rowTooLong: (line: string, most: string) =>
      `line ${line}: the row has more than ${most} KiB: a quotation mark in it may not be closed`,
    behindQuote: (line: string) =>
      `line ${line}: a cell of this row goes on after a closing quotation mark: put the whole cell in quotation marks, and write each one inside it twice`,
    insideCell: (line: string) =>
      `line ${line}: a quotation mark stands inside a cell of this row: put the whole cell in quotation marks, and write each one inside it twice`,
  },
  pt: {
    needsCode: 'precisa do código do país',
    needsAreaCode: 'é um número nacional sem DDD: escreva com o DDD ou com o código do país',
    beginsWithZero: 'precisa começar com o código do país, que nunca começa com 0',
    digits: (least, most) => `precisa ter de ${least} a ${most} dígitos, com o código do país`,
    shortened: 'O Excel encurtou este número: formate a coluna como texto',
    repeats: (line) => `é o número da linha ${line}, que vale`,
    tooManyCells: (most) => `tem mais que as ${most} colunas do cabeçalho`,
    titlesAbove: (line) => `A linha ${line} dá nome às colunas: o que está acima dela fica de fora`,
    tooManyColumns: (most) => `tem mais de ${most} colunas`,
    tooManyFields: (most) => `tem mais de ${most} colunas para campos próprios`,
    fieldName: (column, why) => `tem na coluna ${column} um campo próprio com um nome errado: ${why}`,
    metadataName: (column, why) => `tem na coluna ${column} um detalhe com um nome errado: ${why}`,
    notUtf8: 'O arquivo não está em UTF-8: salve como CSV UTF-8',
    workbook:
      'O arquivo é uma pasta de trabalho (Excel, LibreOffice ou Numbers), não um CSV. Abra e salve como "CSV UTF-8"',
    oldWorkbook: 'O arquivo é uma pasta de trabalho de um Excel antigo, não um CSV. Abra e salve como "CSV UTF-8"',
    utf16: 'O arquivo está em UTF-16, como "Texto Unicode". Abra e salve como "CSV UTF-8"',
    pdf: 'O arquivo é um PDF, não um CSV. Exporte a lista como CSV',
    compressed: 'O arquivo está compactado. Descompacte primeiro',
    webPage:
      'O arquivo é uma página da web, não um CSV. Alguns produtos dão a ele o nome .xls: abra numa planilha e salve como "CSV UTF-8"',
    tooLarge: (most) => `O arquivo passa de ${most} MiB`,
    running: 'Outra importação da sua empresa está em andamento. Espere terminar e tente de novo',
    stopped: 'O serviço foi parado',
    couldNotGoOn: 'O serviço não pôde continuar',
    quoteNotClosed: (line) => `linha ${line}: há aspas abertas que não fecham`,
    rowTooLong: (line, most) => `linha ${line}: a linha passa de ${most} KiB: talvez haja aspas que não fecham`,
    behindQuote: (line) =>
      `linha ${line}: uma célula continua depois das aspas: ponha a célula inteira entre aspas e escreva as de dentro duas vezes`,
    insideCell: (line) =>
      `linha ${line}: há aspas dentro de uma célula: ponha a célula inteira entre aspas e escreva as de dentro duas vezes`,
  },
  es: {
    needsCode: 'necesita el código del país',
    needsAreaCode: 'es un número nacional sin prefijo: escríbalo con el prefijo o con el código del país',
    beginsWithZero: 'debe empezar con el código del país, que nunca empieza con 0',
    digits: (least, most) => `debe tener de ${least} a ${most} dígitos, con el código del país`,
    shortened: 'Excel acortó este número: dé a la columna el formato de texto',
    repeats: (line) => `es el número de la línea ${line}, que vale`,
    tooManyCells: (most) => `tiene más que las ${most} columnas del encabezado`,
    titlesAbove: (line) => `La línea ${line} nombra las columnas: lo que está encima se deja fuera`,
    tooManyColumns: (most) => `tiene más de ${most} columnas`,
    tooManyFields: (most) => `tiene más de ${most} columnas para campos propios`,
    fieldName: (column, why) => `tiene en la columna ${column} un campo propio con un nombre incorrecto: ${why}`,
    metadataName: (column, why) => `tiene en la columna ${column} un detalle con un nombre incorrecto: ${why}`,
    notUtf8: 'El archivo no está en UTF-8: guárdelo como CSV UTF-8',
    workbook: 'El archivo es un libro de Excel, LibreOffice o Numbers, no un CSV. Ábralo y guárdelo como "CSV UTF-8"',
    oldWorkbook: 'El archivo es un libro de un Excel antiguo, no un CSV. Ábralo y guárdelo como "CSV UTF-8"',
    utf16: 'El archivo está en UTF-16, como "Texto Unicode". Ábralo y guárdelo como "CSV UTF-8"',
    pdf: 'El archivo es un PDF, no un CSV. Exporte la lista como CSV',
    compressed: 'El archivo está comprimido. Descomprímalo primero',
    webPage:
      'El archivo es una página web, no un CSV. Algunos productos lo llaman .xls: ábralo en una hoja de cálculo y guárdelo como "CSV UTF-8"',
    tooLarge: (most) => `El archivo supera ${most} MiB`,
    running: 'Otra importación de su empresa está en curso. Espere a que termine e intente de nuevo',
    stopped: 'El servicio se detuvo',
    couldNotGoOn: 'El servicio no pudo continuar',
    quoteNotClosed: (line) => `línea ${line}: hay comillas abiertas que no se cierran`,
    rowTooLong: (line, most) => `línea ${line}: la fila supera ${most} KiB: quizá hay comillas que no se cierran`,
    behindQuote: (line) =>
      `línea ${line}: una celda sigue después de las comillas: ponga toda la celda entre comillas y escriba dos veces las de dentro`,
    insideCell: (line) =>
      `línea ${line}: hay comillas dentro de una celda: ponga toda la celda entre comillas y escriba dos veces las de dentro`,
  },
});
