import { readFileSync, writeFileSync, existsSync } from "node:fs";
import { visit } from "jsonc-parser";
import { readJsonText } from "./src/config/json-text.ts";
import { parseConfig } from "./src/config/parse-config.ts";
const mode=process.argv[2]; const n=Number(process.argv[3]);
const f=`/tmp/r${n}.json`;
if(!existsSync(f)) writeFileSync(f,JSON.stringify({Routes:Array.from({length:n},(_,i)=>({UpstreamPathTemplate:`/s${i}/{id}/x/{rest}`,UpstreamHttpMethod:["Get","Post"],DownstreamPathTemplate:`/api/{id}/{rest}`,DownstreamScheme:"http",DownstreamHostAndPorts:[{Host:"localhost",Port:5000+i%1000}],Metadata:{team:"t"+i,tags:"a,b"}}))},null,2));
const t=performance.now();
let keep:any;
{ const text=readFileSync(f,"utf8");
if(mode==="visit") visit(text,{onLiteralValue(){} },{allowTrailingComma:true});
if(mode==="json") keep=JSON.parse(text);
if(mode==="nodes") readJsonText(text);
if(mode==="config") keep=parseConfig(text,{logger:false});
}
const ms=performance.now()-t;
globalThis.gc?.(); await new Promise(r=>setTimeout(r,50)); globalThis.gc?.();
console.log(mode,n,"ms",ms.toFixed(0),"rss",(process.memoryUsage().rss/1e6).toFixed(0),"heap",(process.memoryUsage().heapUsed/1e6).toFixed(0), keep&&1);
