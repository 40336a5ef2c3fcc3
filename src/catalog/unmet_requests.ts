/** A group of requests that this service does not support. */
interface UnmetTopic {
  readonly name: string;
  /** Completes "This server cannot …". */
  readonly cannot: string;
  /** Words of such requests; searched, never shown. */
  readonly words: string;
  /** The nearest tools, and what they do instead. */
  readonly nearest: Readonly<Record<string, string>>;
}

/** Requests that agents often make to an image server, and that none of its tools supports. */
export const UNMET_TOPICS: readonly UnmetTopic[] = [
  {
    name: 'video',
    cannot: 'work on video',
    words:
      'video, videos, mp4, mov, avi, mkv, webm, movie, film, footage, clip, trim a clip, cut the seconds, frames of a film, slideshow, slow motion, stabilise shaky footage, subtitles, live stream, animate a still image, animation of a portrait, blink, lip sync, screen recording, timelapse, turn an mp4 into a gif',
    nearest: { inspect_image: 'reads single images and animated GIF, WebP and PNG' },
  },
  {
    name: 'audio',
    cannot: 'work on sound',
    words:
      'audio, sound, music, background music, song, songs, mp3, wav, podcast, voice, voice recording, speech, text to speech, speech to text, transcribe, transcription, read aloud, narrate, audio track, mix, remix, compose a song, beat, noise of a recording, dub',
    nearest: {},
  },
  {
    name: '3d',
    cannot: 'make or show 3D models',
    words:
      '3d, 3d model, 3d object, three-dimensional, mesh, obj, stl, gltf, blender, render a scene, turntable, sculpt, cad',
    nearest: { mockup_image: 'shows a flat design on a product' },
  },
  {
    name: 'language',
    cannot: 'write, translate or summarise text',
    words:
      'translate, translation, translate into english, french, german, spanish, summarise, summary, summarize an article, chat, chat with me, chatbot, essay, poem, novel, lyrics, blog article, letter, proofread, grammar, spelling, answer a question, explain a topic, copywriting',
    nearest: { enrich_metadata: 'writes titles, descriptions and alt text of an image' },
  },
  {
    name: 'programming',
    cannot: 'write programs or web pages',
    words:
      'python, javascript, java, code, source code, program, programming, script that, algorithm, debug, sql, regex, website, web page, homepage, html, css, build an app, deploy, git',
    nearest: {},
  },
  {
    name: 'publishing',
    cannot: 'send or publish anything elsewhere',
    words:
      'email, e-mail, mail it to, send the file to a person, message, sms, whatsapp, telegram, post on instagram, publish on facebook, upload to twitter, tiktok, linkedin, pinterest, account on social media, schedule a post, tweet, share with friends',
    nearest: { make_variants: 'makes the sizes that social networks show' },
  },
  {
    name: 'facts',
    cannot: 'look anything up on the web',
    words:
      'weather, weather forecast, temperature tomorrow, news, headlines, search the web, google, wikipedia, stock price, stock market, exchange rate, currency, dollars to euros, time zone, capital of a country, population, sports results, who is president, recipe for cooking, directions, map route',
    nearest: { search_artworks: 'searches artworks of museums' },
  },
  {
    name: 'travel',
    cannot: 'book or order anything',
    words:
      'book a flight, hotel, ticket, train, restaurant table, taxi, trip, travel, reservation, appointment, order food, pizza, buy a present, shop online',
    nearest: {},
  },
  {
    name: 'documents',
    cannot: 'edit office documents or pages of a PDF',
    words:
      'word document, docx, doc, excel, xlsx, spreadsheet, sum of columns, formula, powerpoint, presentation, slides, pptx, google docs, merge pdf files, join pdf, combine pdf documents, split a pdf, unlock a pdf, password protected pdf, fill in a pdf form, sign a contract, edit text in a pdf, epub',
    nearest: { preflight_file: 'checks a PDF for print' },
  },
  {
    name: 'charts',
    cannot: 'draw charts from data',
    words:
      'pie chart, bar chart, line chart, graph of numbers, plot data, diagram, histogram of data, flowchart, gantt, dashboard',
    nearest: { compose_image: 'draws shapes and text where you place them' },
  },
  {
    name: 'faces',
    cannot: 'recognise or exchange the faces of people',
    words:
      'face swap, swap faces, swap my face, put my face on a body, who is the person, who is this man, whose face, recognise a celebrity, identify a person, facial recognition, name of the woman in the photo, actor',
    nearest: { edit_image: 'blurs or covers faces' },
  },
  {
    name: 'recognition',
    cannot: 'count or identify things in a photo',
    words:
      'count objects, count cars, how many people, identify a plant, species of bird, insect, mushroom, medical diagnosis, diagnose, x-ray, mole, skin, disease, calories, meal, food in a photo, landmark, where is this place, read a license plate, solve a captcha',
    nearest: { enrich_metadata: 'describes an image' },
  },
  {
    name: 'orders',
    cannot: 'print or deliver anything',
    words:
      'order prints, buy prints, ship to my home, shipping, delivery, deliver, photo book, print on my home printer, courier, print on demand order',
    nearest: { print_ready: 'makes the file that a print shop prints' },
  },
  {
    name: 'nft',
    cannot: 'mint or sell anything',
    words: 'nft, mint, token sale, opensea, sell my drawing, auction, marketplace, crypto trading, bitcoin',
    nearest: { store_permanent: 'keeps a file permanently' },
  },
  {
    name: 'scraping',
    cannot: 'collect images from web sites',
    words:
      'scrape, crawl, spider, download all pictures from a page, images of a website, google images, stock photos of people, download from youtube',
    nearest: { search_artworks: 'finds free artworks of museums' },
  },
  {
    name: 'assistant',
    cannot: 'keep calendars, solve problems or play games',
    words:
      'remind me, reminder, calendar, alarm, timer, to-do list, call the dentist, play chess, game, joke, riddle, solve an equation, math, mathematics, calculate, homework, scan for viruses, malware, hack, horoscope',
    nearest: {},
  },
];
