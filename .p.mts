import { parseConfig } from "./src/config/parse-config.ts";
const mk=(n:number)=>JSON.stringify({Routes:Array.from({length:n},(_,i)=>({UpstreamPathTemplate:`/s${i}/{id}/x/{rest}`,UpstreamHttpMethod:["Get","Post"],DownstreamPathTemplate:`/api/{id}/{rest}`,DownstreamScheme:"http",DownstreamHostAndPorts:[{Host:"localhost",Port:5000+i%1000}],Metadata:{team:"t"+i,tags:"a,b"}}))},null,2);
const one=mk(1), many=mk(10000); console.log(many.length);
parseConfig(one,{logger:false}); globalThis.gc?.(); const m0=process.memoryUsage();
const t=performance.now(); let c:any=parseConfig(many,{logger:false}); console.log("ms",performance.now()-t, c.warnings.length);
console.log("peak heap",(process.memoryUsage().heapUsed-m0.heapUsed)/1e6,"rss",(process.memoryUsage().rss-m0.rss)/1e6); globalThis.gc?.(); console.log("after gc", (process.memoryUsage().heapUsed-m0.heapUsed)/1e6,"rss",(process.memoryUsage().rss-m0.rss)/1e6);
const t2=performance.now(); parseConfig(many,{logger:false}); console.log("warm ms",performance.now()-t2);
const o=JSON.parse(many); const t3=performance.now(); parseConfig(o,{logger:false}); console.log("object ms",performance.now()-t3);
const dup=JSON.stringify({Routes:Array.from({length:10000},(_,i)=>({UpstreamPathTemplate:`/s`,DownstreamPathTemplate:`/api/{id}`,Foo:1}))}); const t4=performance.now(); try{parseConfig(dup,{logger:false})}catch(e:any){console.log("bad ms",performance.now()-t4,e.problems.length,e.message.length)}
